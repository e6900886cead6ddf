/// Longer than anything that is waited for takes, on a machine that is busy elsewhere.
package let patience = Duration.seconds(60)

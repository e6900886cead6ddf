/// Longer than anything takes here, on a machine that is busy elsewhere.
let patience = Duration.seconds(60)

/// Every timer of the protocol. A test compares it with the table in Protocol.md §14.
package enum Timers {
  /// First heartbeat after the last packet. The interval doubles each time: viewers notice a lost
  /// tail within milliseconds, and an idle app is nearly silent.
  static let heartbeatMin = Duration.milliseconds(2)
  /// Under two datagrams a second when idle.
  package static let heartbeatMax = Duration.milliseconds(640)
  /// Four heartbeats lost in a row count as silence. A viewer must notice within 3 s.
  package static let liveness = Duration.milliseconds(2_600)
  /// Packets still missing this long after an app fell silent are lost.
  package static let expiry = Duration.seconds(10)
  /// The same after a goodbye: the app answers nothing more, but packets may be in flight.
  package static let departure = Duration.milliseconds(100)
  /// Packets are reordered by less than this on one link.
  package static let reorderWait = Duration.milliseconds(1)
  /// Viewers that miss the same packet spread their NAKs over this, so that one repair to all
  /// arrives before most of them have asked.
  package static let nakBackoff = Duration.milliseconds(3)
  /// First repetition of a NAK, unless two round trips take longer. Doubles from the third NAK on.
  package static let nakRepeatMin = Duration.milliseconds(5)
  package static let nakRepeatMax = Duration.milliseconds(100)
  /// A viewer that never asks waits this long for repairs that others request.
  package static let observerWait = Duration.milliseconds(250)
  /// History takes turns with the stream, and a turn of each lane takes less than this at the
  /// slowest pace. After this long without any history, the rest is lost.
  package static let historySilence = Duration.milliseconds(25)
  /// Repetition of a request for values. It doubles each time that nothing arrives.
  package static let valueRepeatMin = Duration.milliseconds(25)
  package static let valueRepeatMax = Duration.milliseconds(500)
  /// A packet is repaired once in this time, however often viewers request it.
  static let repairHoldOff = Duration.milliseconds(3)
  /// A viewer whose window is closed, and that reports nothing for this long, is left behind.
  static let stall = Duration.milliseconds(100)
  package static let helloRepeatMin = Duration.milliseconds(20)
  package static let helloRepeatMax = Duration.milliseconds(500)
  /// A viewer renews its cookie well before two epochs have passed.
  package static let helloRenewal = Duration.seconds(30)
  /// A follower says hello twice in this time. After it, nobody watches.
  package static let audience = Duration.seconds(60)
  /// A cookie is valid in the epoch when it was made and in the next.
  static let cookieEpoch = Duration.seconds(60)
  /// After requests get no answer for this long, the viewer's address may have changed, so that its
  /// cookie proves the old one. Doubles each time, because the app may only be busy.
  package static let requestSilenceMin = Duration.milliseconds(500)
  package static let requestSilenceMax = Duration.seconds(8)
  static let probeSpacing = Duration.milliseconds(100)
  package static let resetRepeatMin = Duration.milliseconds(30)
  package static let resetRepeatMax = Duration.milliseconds(250)
  /// A half-received reset whose viewer has fallen silent may be dropped for another.
  package static let resetIdle = Duration.seconds(5)
  /// After this long, a viewer stops waiting for the answer to a reset.
  package static let resetTimeout = Duration.seconds(5)
  /// A viewer that dies at the wheel blocks nobody for longer than a person waits.
  static let wheelLease = Duration.seconds(30)
  /// Two renewals in a row may be lost.
  package static let wheelRenewal = Duration.seconds(10)

  /// Viewers that have the wanted packets spread their offers over this, so that the first offer is
  /// not always from the same viewer.
  package static let offerDelay = Duration.milliseconds(5)
  /// A list of held packets is reused this long, because making it takes a look at every packet.
  package static let offerMemory = Duration.milliseconds(50)
  /// A seek may be lost, so it is sent twice.
  package static let seekRepeat = Duration.milliseconds(10)
  /// An offer would have arrived by then. People do not notice the wait.
  package static let seekWait = Duration.milliseconds(20)
  /// After this long, a repairer has left, or never was one.
  package static let repairerSilence = Duration.milliseconds(200)
  /// A block that takes longer arrives faster from the app, even at its slowest.
  package static let blockMax = Duration.seconds(1)

  /// How often the sender judges whether its viewers can keep up.
  static let judgement = Duration.milliseconds(100)
  /// How long packets are kept for repair and late joiners, unless configured.
  package static let historyAgeMax = Duration.seconds(3_600)
}

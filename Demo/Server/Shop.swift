import StateSurf

/// The shop's state, which requests change at the same time.
///
/// One function has a fault. It is the kind that actors do not prevent, and no single request shows
/// it: `Demo/README.md` finds it.
actor Shop {
  struct State: Codable, Sendable {
    var stock = ["milk": 3, "bread": 5]
    var orders: [Order] = []
  }

  struct Order: Codable, Sendable {
    var id: Int
    var item: String
    var count: Int
    var isPaid = false
  }

  enum Answer: Equatable, Sendable {
    case ordered(id: Int)
    case soldOut
    case unknownItem
  }

  private let transceiver: Transceiver
  private(set) var state = State() {
    didSet { transceiver.record(changeFrom: oldValue, to: state) }
  }

  init(_ transceiver: Transceiver) { self.transceiver = transceiver }

  func set(_ state: State) { self.state = state }

  /// Reserves the goods, and leaves it to a job to take the money.
  func order(_ item: String, count: Int, _ jobs: JobQueue) async -> Answer {
    guard let stock = state.stock[item] else { return .unknownItem }
    guard stock >= count else { return .soldOut }
    let price = await Self.price(of: item)
    // While this request waited for the price, another may have taken the goods.
    state.stock[item] = (state.stock[item] ?? 0) &- count
    let id = (state.orders.last?.id ?? 0) &+ 1
    state.orders.append(Order(id: id, item: item, count: count))
    await jobs.add { [self] in await pay(id, price * count) }
    return .ordered(id: id)
  }

  private func pay(_ id: Int, _ sum: Int) {
    transceiver.log("order \(id) is paid", attributes: ["sum": "\(sum)"])
    // A viewer may have put the shop into a state without this order.
    guard let index = state.orders.firstIndex(where: { $0.id == id }) else { return }
    state.orders[index].isPaid = true
  }

  /// From the price list, which is on another machine and takes a moment.
  private static func price(of item: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    return item == "milk" ? 90 : 250
  }
}

/// Does one job after another. The oldest is the next.
actor JobQueue {
  private struct Job: Sendable {
    /// The request that the job is for.
    let parent: RecordID?
    let body: @Sendable () async -> Void
  }

  private let transceiver: Transceiver
  private var waiting: [Job] = []
  private var isWorking = false

  init(_ transceiver: Transceiver) { self.transceiver = transceiver }

  func add(_ body: @escaping @Sendable () async -> Void) {
    waiting.append(Job(parent: Transceiver.currentParent, body: body))
    guard !isWorking else { return }
    isWorking = true
    // Detached, because it serves other requests than the one that starts it.
    Task.detached { await self.work() }
  }

  private func work() async {
    while !waiting.isEmpty {
      let job = waiting.removeFirst()
      await transceiver.withParent(job.parent) { await job.body() }
    }
    isWorking = false
  }
}

import SurfStore
import TestSupport
import Testing

@Suite struct SubscriptionTests {
  @Test func cancelsFromInsideItsOwnCallback() {
    let store = appendingStore()
    let log = Log<Int>()
    let subscription = Box<Subscription>()
    subscription.content = store.observe { step in
      log.append(step.action)
      subscription.content?.cancel()
    }
    store.dispatch(1)
    store.dispatch(2)
    #expect(log.entries == [1])
    subscription.content = nil
  }

  @Test func isDroppedFromInsideItsOwnCallback() {
    let store = appendingStore()
    let log = Log<Int>()
    let subscription = Box<Subscription>()
    subscription.content = store.observe { step in
      log.append(step.action)
      subscription.content = nil
    }
    store.dispatch(1)
    store.dispatch(2)
    #expect(log.entries == [1])
  }

  @Test func cancellingAnotherSilencesItWithinTheSameStep() {
    let store = appendingStore()
    let log = Log<String>()
    let second = Box<Subscription>()
    let first = store.observe { _ in
      log.append("first")
      second.content?.cancel()
    }
    second.content = store.observe { _ in log.append("second") }
    store.dispatch(1)
    #expect(log.entries == ["first"])
    first.cancel()
  }

  @Test func cancelBeforeItsTurnMeansNoCallAtAll() {
    let store = appendingStore()
    let log = Log<String>()
    let first = store.observe { step in
      guard step.id == 1 else { return }
      store.subscribe { _ in log.append("state") }.cancel()
      store.observe { _ in log.append("step") }.cancel()
    }
    store.dispatch(1)
    store.dispatch(2)
    first.cancel()
    #expect(log.entries.isEmpty)
  }

  @Test func endsWithItsLastReference() {
    let store = appendingStore()
    let log = Log<Int>()
    var subscription: Subscription? = store.observe { log.append($0.action) }
    store.dispatch(1)
    #expect(subscription != nil)
    subscription = nil
    store.dispatch(2)
    #expect(log.entries == [1])
  }

  @Test func cancelReleasesTheClosure() {
    let store = appendingStore()
    weak var captured: Log<Int>?
    let subscription: Subscription
    do {
      let log = Log<Int>()
      captured = log
      subscription = store.observe { log.append($0.action) }
    }
    #expect(captured != nil)
    subscription.cancel()
    #expect(captured == nil)
  }

  @Test func outlivesItsStoreHarmlessly() {
    var store: Store<Int, [Int]>? = appendingStore()
    weak let weakStore = store
    let subscription = store?.observe { _ in }
    store = nil
    #expect(weakStore == nil)
    subscription?.cancel()
  }

  @Test func aClosureThatOwnsAnotherSubscriptionIsReleasedWithoutDeadlock() {
    let store = appendingStore()
    let inner = store.observe { _ in }
    let outer = Box<Subscription>()
    outer.content = store.observe { [inner] _ in inner.cancel() }
    outer.content = nil
    store.dispatch(1)
    #expect(store.state == [1])
  }
}

import DevTools
import JSONTree
import Testing

extension WithRelay {
  /// The four ways to come to a relay.
  @Suite struct ModeTests {
    @Test func `in manual mode activate opens nothing, until connect is dispatched`() throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .manual
        $0.browser = browser
      }
      rig.dispatch(.increment)
      // Dispatches are processed in order, so when this one is done, the earlier ones are.
      rig.tools.dispatch(._serviceFound(.relay("a")))
      try rig.wait { !$0.discoveredServices.isEmpty }
      #expect(rig.tools.state.connectionStatus == .disconnected)
      #expect(browser.types == [])
      #expect(rig.relay.log.withLock { $0.open } == 0)
      rig.tools.dispatch(.connect(host: "127.0.0.1", port: rig.relay.port))
      try rig.waitUntilConnected()
    }

    @Test func `with connectOnLaunch the app connects out when it is activated`() throws {
      let rig = try Rig()
      try rig.waitUntilConnected()
      #expect(
        rig.tools.state.connectionStatus == .connected(host: "127.0.0.1", port: rig.relay.port))
      #expect(rig.states.withLock { $0.map(\.connectionStatus) }.contains(.connecting))
    }

    @Test func `with autoConnect the first relay found is connected to, and browsing ends`()
      throws
    {
      let (browser, relay) = (FakeBrowser(), try FakeRelay())
      let rig = try Rig(relay: relay) {
        $0.connectionMode = .autoConnect
        $0.browser = browser
      }
      try rig.wait { $0.isBrowsing }
      #expect(rig.tools.state.connectionStatus == .disconnected)
      // Found is not enough: its address has to be known.
      try browser.tell(.found(.relay("a")))
      try browser.tell(.found(.relay("a", port: relay.port)))
      try rig.waitUntilConnected()
      #expect(!rig.tools.state.isBrowsing)
      try browser.waitUntilActive(0)
    }

    @Test func `a relay that is started later elsewhere is connected to without a word`() throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .autoConnect(serviceType: "_other._tcp.")
        $0.browser = browser
      }
      try browser.tell(.found(.relay("a", port: rig.relay.port)))
      try rig.waitUntilConnected()
      rig.relay.loop.stop()
      let next = try FakeRelay()
      try browser.tell(.found(.relay("b", port: next.port)), browse: 2)
      try next.entered(1)
      _ = try next.frames("INIT")
      #expect(browser.types == ["_other._tcp.", "_other._tcp."])
    }

    @Test
    func `with browseOnLaunch services are listed, and the picked one connected`()
      throws
    {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .browseOnLaunch
        $0.browser = browser
      }
      try browser.tell(.found(.relay("a", port: 9)))
      try browser.tell(.found(.relay("b", port: rig.relay.port)))
      let state = try rig.wait { $0.discoveredServices.count == 2 }
      #expect(state.connectionStatus == .disconnected)
      let picked = try #require(state.discoveredServices.first { $0.name == "b" })
      rig.tools.dispatch(.connectToService(picked))
      try rig.waitUntilConnected()
    }

    @Test func `a service without an address is resolved first`() throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .manual
        $0.resolvePatience = patience
        $0.browser = browser
      }
      rig.tools.dispatch(.connectToService(.relay("a")))
      try rig.wait { $0.connectionStatus == .connecting }
      try browser.tell(.found(.relay("b", port: 9)))
      try browser.tell(.found(.relay("a", port: rig.relay.port)))
      try rig.waitUntilConnected()
      try browser.waitUntilActive(0)
    }

    @Test func `a service that has vanished is an error`() async throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .manual
        $0.browser = browser
      }
      rig.tools.dispatch(.connectToService(.relay("gone")))
      let state = try rig.wait { $0.failure != nil }
      #expect(state.failure == "the service 'gone' could not be resolved")
      #expect(state.connectionStatus == .disconnected)
      var environment = DevToolsEnvironment.live()
      environment.browser = browser
      environment.resolvePatience = .milliseconds(20)
      await #expect(throws: DevToolsError.couldNotResolveService("gone")) {
        try await environment.resolveService(.relay("gone"))
      }
    }

    @Test func `browse, stop, resolve and connect by hand`() async throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .manual
        $0.browser = browser
      }
      rig.tools.dispatch(.startBrowsing)
      try browser.tell(.found(.relay("a", port: rig.relay.port)))
      let found = try rig.wait { !$0.discoveredServices.isEmpty }
      #expect(found.isBrowsing)
      rig.tools.dispatch(.stopBrowsing)
      let stopped = try rig.wait { !$0.isBrowsing }
      let service = try #require(stopped.discoveredServices.first)
      let resolved = try await DevToolsEnvironment.live().resolveService(service)
      rig.tools.dispatch(
        .connect(host: resolved.host ?? "", port: resolved.port ?? 8000))
      try rig.waitUntilConnected()
    }

    @Test func `no host is a failure, and is not tried again`() throws {
      let rig = try Rig { $0.connectionMode = .manual }
      rig.tools.dispatch(.connect(host: "", port: 8000))
      let state = try rig.wait { $0.failure != nil }
      #expect(state.connectionStatus == .disconnected)
    }

    @Test func `the service type is the environment's, unless the mode has one`() throws {
      let (browser, other) = (FakeBrowser(), FakeBrowser())
      let usual = try Rig {
        $0.connectionMode = .browseOnLaunch
        $0.bonjourServiceType = "_myapp._tcp."
        $0.browser = browser
      }
      let own = try Rig {
        $0.connectionMode = .autoConnect
        $0.bonjourServiceType = "_myapp._tcp."
        $0.browser = other
      }
      try usual.wait { $0.isBrowsing }
      try own.wait { $0.isBrowsing }
      #expect(browser.types == ["_myapp._tcp."])
      #expect(other.types == ["_myapp._tcp."])
      #expect(DevToolsEnvironment.live().bonjourServiceType == "_reduxdevtools._tcp.")
    }

    @Test func `a service is updated in place, and goes when it is removed`() throws {
      let browser = FakeBrowser()
      let rig = try Rig {
        $0.connectionMode = .browseOnLaunch
        $0.browser = browser
      }
      try browser.tell(.found(.relay("a")))
      try browser.tell(.found(.relay("b")))
      var changed = DiscoveredService.relay("a", port: 7)
      changed.txt = ["path": "/x"]
      try browser.tell(.found(changed))
      let state = try rig.wait { $0.discoveredServices.first?.port == 7 }
      #expect(state.discoveredServices == [changed, .relay("b")])
      try browser.tell(.removed(changed))
      try rig.wait { $0.discoveredServices == [.relay("b")] }
    }
  }
}

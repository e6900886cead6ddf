#if Live && canImport(Glibc)
  package import SurfLive

  // The types behind the public ones. Every file of this module may use these names; without the
  // trait `Live`, those in `Inert.swift` take their place.
  typealias CallSite = SurfLive.CallSite
  typealias CommandTask = SurfLive.CommandTask
  typealias Controller = SurfLive.Controller
  typealias OfferedReset = SurfLive.OfferedReset
  typealias Recorder = SurfLive.Recorder
  typealias StartedRequest = SurfLive.StartedRequest

  extension Transceiver {
    /// With a given environment and sink, for tests.
    package convenience init(
      name: String, configuration: Configuration, environment: [String: String],
      makeSink: @escaping RecordSinkFactory
    ) {
      self.init(
        Recorder(
          name: name, configuration: configuration, environment: environment, makeSink: makeSink))
    }

    /// For a debugger within the program; nil if recording is off.
    package var ownHistory: OwnHistory? { recorder.map { OwnHistory($0) } }
  }
#endif

import CDNSSD
import Glibc

/// The system's DNS-SD library, which on Linux is Avahi's.
///
/// Every call may block while the system bus does (the bus limits a call to 25 s), so it needs a
/// thread that may wait.
package final class SystemDNSService: DNSServiceBackend {
  private struct Operation {
    let reference: DNSServiceRef
    let answers: AnswerBox
  }

  private let libraryName: String
  private var library: DNSServiceLibrary?
  private var operations: [OperationID: Operation] = [:]

  /// Turns off the warnings that Avahi's library prints at its first use, unless the user has set
  /// `AVAHI_COMPAT_NOWARN`. It changes the environment, so call it while the app starts.
  static func silenceWarnings() { _ = silenced }

  private static let silenced = setenv("AVAHI_COMPAT_NOWARN", "1", 0)

  package convenience init() { self.init(libraryName: DNSServiceLibrary.fileName) }

  /// With another library file, for tests.
  package init(libraryName: String) { self.libraryName = libraryName }

  deinit {
    for operation in operations.values { library?.deallocate(operation.reference) }
  }

  package func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation {
    let library = try loadedLibrary()
    let answers = AnswerBox()
    var reference: DNSServiceRef?
    let code = library.start(request, &reference, answers)
    guard code == kDNSServiceErr_NoError, let reference else { throw .code(code) }
    let descriptor = library.descriptor(reference)
    guard descriptor >= 0 else {
      library.deallocate(reference)
      throw .noDescriptor
    }
    // The library does not set this. A program that the app starts must not inherit the descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    operations[id] = Operation(reference: reference, answers: answers)
    return OpenedOperation(descriptor: descriptor, answers: answers.take())
  }

  package func process(_ id: OperationID) -> [ServiceAnswer] {
    guard let library, let operation = operations[id] else { return [] }
    let code = library.processResult(operation.reference)
    let answers = operation.answers.take()
    return code == kDNSServiceErr_NoError ? answers : answers + [.failed(.code(code))]
  }

  package func close(_ id: OperationID) {
    guard let operation = operations.removeValue(forKey: id) else { return }
    library?.deallocate(operation.reference)
  }

  /// Tries to load a missing library each time, because it may be installed meanwhile.
  private func loadedLibrary() throws(ServiceFailure) -> DNSServiceLibrary {
    if let library { return library }
    let loaded = try DNSServiceLibrary(libraryName)
    library = loaded
    return loaded
  }
}

// The calls. Flags stay zero: Avahi refuses all others.
extension DNSServiceLibrary {
  fileprivate func start(
    _ request: ServiceRequest, _ reference: inout DNSServiceRef?, _ answers: AnswerBox
  ) -> DNSServiceErrorType {
    switch request {
    case .register(let advertisement, let name):
      start(advertisement, name, &reference, answers)
    case .browse(let interface, let type):
      browse(
        &reference, 0, interface, type, nil, browseReply, answers.pointer)
    case .resolve(let service):
      resolve(
        &reference, 0, service.interface, service.name, service.type, service.domain,
        resolveReply, answers.pointer)
    case .address(let service, let hostTarget):
      queryRecord(
        &reference, 0, service.interface, hostTarget, UInt16(kDNSServiceType_A),
        UInt16(kDNSServiceClass_IN), queryReply, answers.pointer)
    }
  }

  private func start(
    _ advertisement: ServiceAdvertisement, _ name: String, _ reference: inout DNSServiceRef?,
    _ answers: AnswerBox
  ) -> DNSServiceErrorType {
    let record: [UInt8]
    do throws(TXTRecordError) {
      // RFC 6763 §6.1: an empty record is one empty string.
      record = try advertisement.contents.octets
    } catch {
      return DNSServiceErrorType(kDNSServiceErr_BadParam)
    }
    return register(
      &reference, 0, advertisement.interface, name, advertisement.type, nil, nil,
      advertisement.port.bigEndian, UInt16(record.count), record, registerReply, answers.pointer)
  }
}

/// The functions of Avahi's library, loaded at first use.
///
/// Not linked, so an instrumented program also starts without Avahi, and never loads it while it is
/// off. Once loaded, the library stays.
struct DNSServiceLibrary {
  static let fileName = "libdns_sd.so.1"

  let register: DNSServiceRegisterFunction
  let browse: DNSServiceBrowseFunction
  let resolve: DNSServiceResolveFunction
  let queryRecord: DNSServiceQueryRecordFunction
  let descriptor: DNSServiceRefSockFDFunction
  let processResult: DNSServiceProcessResultFunction
  let deallocate: DNSServiceRefDeallocateFunction

  /// Loads the library, which may read files and run its dependencies' initializers.
  init(_ fileName: String = Self.fileName) throws(ServiceFailure) {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { throw .noLibrary }
    register = try Self.function("DNSServiceRegister", in: handle)
    browse = try Self.function("DNSServiceBrowse", in: handle)
    resolve = try Self.function("DNSServiceResolve", in: handle)
    queryRecord = try Self.function("DNSServiceQueryRecord", in: handle)
    descriptor = try Self.function("DNSServiceRefSockFD", in: handle)
    processResult = try Self.function("DNSServiceProcessResult", in: handle)
    deallocate = try Self.function("DNSServiceRefDeallocate", in: handle)
  }

  private static func function<Function>(
    _ name: String, in handle: UnsafeMutableRawPointer
  ) throws(ServiceFailure) -> Function {
    guard let symbol = dlsym(handle, name) else { throw .noLibrary }
    return unsafeBitCast(symbol, to: Function.self)
  }
}

import CDNSSD
import Glibc

/// The functions of Avahi's library, looked up in it when they are first wanted.
///
/// Not linked: an instrumented program starts where Avahi is not installed, and one that is off
/// never loads it. Once loaded, it stays.
struct DNSServiceLibrary {
  static let fileName = "libdns_sd.so.1"

  let register: DNSServiceRegisterFunction
  let browse: DNSServiceBrowseFunction
  let resolve: DNSServiceResolveFunction
  let queryRecord: DNSServiceQueryRecordFunction
  let descriptor: DNSServiceRefSockFDFunction
  let processResult: DNSServiceProcessResultFunction
  let deallocate: DNSServiceRefDeallocateFunction

  /// Loads the library. May read files, and run the initializers of the libraries below it.
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

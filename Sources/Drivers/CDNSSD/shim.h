#include <dns_sd.h>

// The types of the library's functions, for code that looks them up: nothing here is linked.
typedef __typeof__(&DNSServiceRegister) DNSServiceRegisterFunction;
typedef __typeof__(&DNSServiceBrowse) DNSServiceBrowseFunction;
typedef __typeof__(&DNSServiceResolve) DNSServiceResolveFunction;
typedef __typeof__(&DNSServiceQueryRecord) DNSServiceQueryRecordFunction;
typedef __typeof__(&DNSServiceRefSockFD) DNSServiceRefSockFDFunction;
typedef __typeof__(&DNSServiceProcessResult) DNSServiceProcessResultFunction;
typedef __typeof__(&DNSServiceRefDeallocate) DNSServiceRefDeallocateFunction;

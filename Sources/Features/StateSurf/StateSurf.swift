// The module that an app imports. With the trait `Live`, which a package has unless it says
// `traits: []`, it exports SurfLive. Without the trait it has the same declarations, in `Inert`,
// which do nothing. Tests/Network/consumer.sh compares the two.
#if Live
  @_exported public import SurfLive
#endif

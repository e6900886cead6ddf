// What an app imports. With the trait `Live`, which a package has unless it says `traits: []`, that
// is SurfLive; without it, the same declarations with nothing behind them, in `Inert`. A test
// compares the two (Tests/Network/consumer.sh).
#if Live
  @_exported public import SurfLive
#endif

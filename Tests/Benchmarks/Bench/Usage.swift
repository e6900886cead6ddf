let usage = """
  usage: statesurf-bench run [--json] [NAME...]   runs benchmarks, all if none is named
         statesurf-bench list                     their names, and what each measures
         statesurf-bench find [--rows=N] [--only=TEXT] [--jq]
                                                  times queries over a history of 100,000 rows
         statesurf-bench eye [--OPTION=...]       times the way from `record` to a person's screen
         statesurf-bench pub|sub --NAME VALUE...  one end of a run of the multicast harness

  NAME is a benchmark's whole name or its beginning: `record` runs all of `record-...`.
  Build for release, or the figures are those of another program. `run` uses loopback alone.
  `find` has the time of a whole search, until the first hit and until the last one; with --jq it
  asks jq the same of the same rows as lines of JSON, and says how many times longer that takes.
  --only asks the queries that hold TEXT.

  `eye` has half and 99 of 100 of the times, the processor time of the app and of the viewer for a
  record, and how many rows were written of those that were recorded. It ends with 1 if `watch` left
  one out. Its options:
    --rates=N,...          records a second; 1,100,1000,10000 unless said otherwise
    --viewers=NAME,...     pipe (watch), watch (on a terminal), debugger (on a terminal); all
    --loads=N,...          busy loops beside it; 0,2
    --seconds=S            of each run; 4
    --rounds=N             runs of each; 1
    --programs=PATH,...    several of statesurf, to be compared in turns

  examples:
    swift run -c release statesurf-bench run
    swift run -c release statesurf-bench run record jump
    swift run -c release statesurf-bench run --json receive-5k

  pub and sub take --dir, --size, --count, --rate, --subs, --id, --group, --port, --opt, --idle,
  --max, --ifip and --ifname. Words of --opt, separated by commas:
    edit=N     every state is the one before it with N octets changed at a random place
    states=F   pub: the states are the lines of file F, one after the other, over and over
    whole      each state is sent whole, without deltas
    key=F      seals under the keys of file F; without it nothing is sealed
    late       sub: asks for the whole past, not only for what is new
    from=N     sub: the latencies are those of the messages from number N on
    history=N  pub: octets of sent records that are kept for repair and late joiners
    stats      says on standard error what the sockets and the transport counted
  """

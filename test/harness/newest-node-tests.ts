/**
 * Test files, as patterns below the repository, which `npm run test:newest` runs on the newest Node: of each part what lies next to Node,
 * its sockets, streams, files, threads, text decoders and inspected errors, in about a minute. Properties of pure code and the replays of
 * recordings, which take most of the time of `npm test`, are left out.
 */
export const NEWEST_NODE_TESTS: readonly string[] = [
  'test/adapters/hbase/**/*.test.ts',
  'test/adapters/native/background/*.test.ts',
  'test/adapters/native/compact/*.test.ts',
  'test/adapters/native/facets/*.test.ts',
  'test/adapters/native/hfile/**/*.test.ts',
  'test/adapters/native/memstore/*.test.ts',
  'test/adapters/native/platform/*.test.ts',
  'test/adapters/native/reader/*.test.ts',
  'test/adapters/native/region/*.test.ts',
  'test/adapters/native/wal/*.test.ts',
  'test/adapters/servers/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/clients/*.test.ts',
  'test/console/*.test.ts',
  'test/doors/*.test.ts',
  'test/doors/rest/http/*.test.ts',
  'test/doors/rest/rest-multiget.test.ts',
  'test/doors/rest/rest-rows.test.ts',
  'test/doors/rpc/**/*.test.ts',
  'test/doors/thrift/transport/*.test.ts',
  'test/doors/timeline/**/*.test.ts',
  'test/doors/web/**/*.test.ts',
  'test/doors/zookeeper/*.test.ts',
  'test/filter/regex/*.test.ts',
  'test/gateway/**/*.test.ts',
  'test/model/*.test.ts',
  'test/recording/*.test.ts',
  'test/shell/*.test.ts',
  'test/transfer/*.test.ts',
  'test/wire/rest/*.test.ts',
  'test/wire/rpc/*.test.ts',
  'test/wire/text/*.test.ts',
  'test/wire/zookeeper/*.test.ts',
]

/** The same of the longer tests: the command as a process, and threads. */
export const NEWEST_NODE_PROCESS_TESTS: readonly string[] = [
  'test/conformance/replay-threads.test.ts',
  'test/process/kill-threads.test.ts',
  'test/process/linearizable-threads.test.ts',
  'test/process/serve.test.ts',
  'test/process/signals.test.ts',
  'test/process/threads.test.ts',
]

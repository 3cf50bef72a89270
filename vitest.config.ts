import { execFileSync } from 'node:child_process'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { LONGER_TESTS } from './test/harness/longer-tests.ts'
import { NEWEST_NODE_PROCESS_TESTS, NEWEST_NODE_TESTS } from './test/harness/newest-node-tests.ts'
import { SlowFilesFirst } from './test/harness/slow-files-first.ts'
import { SummaryReporter } from './test/harness/summary-reporter.ts'

const SOURCE = process.argv.find((argument) => argument.endsWith('.test.ts'))
if (SOURCE !== undefined) {
  throw new Error(
    `Vitest runs the compiled tests: name ${SOURCE} without its ending, as ${SOURCE.slice(0, -3)}`,
  )
}
// Node runs the compiled tests as they are: to have Vite transform three thousand modules costs a third of the whole run.
execFileSync(process.execPath, ['tools/prepare.js'], { stdio: ['ignore', 'inherit', 'inherit'] })

const compiled = (pattern: string): string => `dist/${pattern.replace(/\.ts$/, '.js')}`

const LONGER = LONGER_TESTS.map(compiled)
const NEWEST = NEWEST_NODE_TESTS.map(compiled)
const NEWEST_PROCESSES = NEWEST_NODE_PROCESS_TESTS.map(compiled)
/** These need a KDC, and some of them a secured HBase: `npm run test:kerberos`. */
const KERBEROS = compiled('test/kerberos/**/*.test.ts')
/** These install packages from npm's registry, for minutes: `npm run test:install`. */
const INSTALL = compiled('test/install/**/*.test.ts')
const NEVER = [compiled('test/conformance/live/**'), KERBEROS, INSTALL, 'node_modules/**']

/** What clients may send to the doors that read their sockets directly: these tests run by `data` events, too. */
const SOCKET_TESTS = [
  'test/doors/thrift/transport/**/*.test.ts',
  'test/doors/rpc/connection/**/*.test.ts',
  'test/doors/rpc/{hostile,full-memory,large-multi,pipelined-large,logs}.test.ts',
  'test/doors/zookeeper/**/*.test.ts',
  'test/doors/rest/{body-pieces,rest-bodies,rest-broken-stream,rest-hang-up,rest-heads,rest-limits,rest-memory}.test.ts',
]

/** Projects whose files are in the others, too: they run only where their name is given. */
const ON_NEWEST_NODE: TestProjectInlineConfiguration[] = [
  { extends: true, test: { name: 'newest', include: NEWEST, exclude: [...LONGER, ...NEVER] } },
  { extends: true, test: { name: 'newest-processes', include: NEWEST_PROCESSES, exclude: NEVER } },
]

const BY_EVENTS: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'by-events',
    include: SOCKET_TESTS.map(compiled),
    setupFiles: ['vitest-setup.ts', 'read-by-events.ts'].map((file) => compiled(`test/harness/${file}`)),
  },
}

/** The same of connections that have moved, as those of threads have. */
const MOVED: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'moved',
    include: [...SOCKET_TESTS, 'test/gateway/http/*.test.ts'].map(compiled),
    setupFiles: ['vitest-setup.ts', 'read-moved.ts'].map((file) => compiled(`test/harness/${file}`)),
  },
}

/** These look into parts of the door that are another thread's then: counters, memory, calls, leases. */
const OF_ONE_THREAD = ['test/doors/rest/{rest-failures,rest-hang-up,rest-memory,scanner-lifetimes}.test.ts']

/** A thread answers what these tests ask. */
const REST_THREADS: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'rest-threads',
    include: ['test/doors/rest/*.test.ts', 'test/doors/rest/feed/change-feed.test.ts'].map(compiled),
    exclude: [...OF_ONE_THREAD.map(compiled), ...NEVER],
    env: { TIDEGATE_TEST_REST_THREADS: 'true' },
  },
}

const WITH_KERBEROS: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'kerberos', include: [KERBEROS], exclude: ['node_modules/**'] },
}

const FROM_REGISTRY: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'install', include: [INSTALL], exclude: ['node_modules/**'] },
}

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: [compiled('test/**/*.test.ts')], exclude: [...LONGER, ...NEVER] },
      },
      { extends: true, test: { name: 'longer', include: LONGER, exclude: NEVER } },
      ...(process.argv.includes('by-events') ? [BY_EVENTS] : []),
      ...(process.argv.includes('moved') ? [MOVED] : []),
      ...(process.argv.includes('rest-threads') ? [REST_THREADS] : []),
      ...(process.argv.includes('newest') ? ON_NEWEST_NODE : []),
      ...(process.argv.includes('kerberos') ? [WITH_KERBEROS] : []),
      ...(process.argv.includes('install') ? [FROM_REGISTRY] : []),
    ],
    reporters: ['default', new SummaryReporter()],
    globalSetup: [compiled('test/harness/temporary-files.ts')],
    setupFiles: [compiled('test/harness/vitest-setup.ts')],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest's own second is a bound on time that a loaded machine does not keep.
    expect: { poll: { timeout: 25_000 } },
    maxWorkers: 2,
    // The files of a worker share the modules that they import: to load them anew for each file costs as much as the tests.
    // `npx vitest run --isolate` shows whether a failure comes from that.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    // No test replaces modules, which is all that Vite's own module runner and loader are needed for.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})

export default config

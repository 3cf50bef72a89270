/** Test files, as patterns below the repository, which `npm test` leaves to `npm run test:all`, and what each group waits for. */
export const LONGER_TESTS: readonly string[] = [
  // Servers that run as processes of their own: starts, signals, kills, memory.
  'test/process/**/*.test.ts',
  'test/cli/serve/client-certificates.test.ts',
  'test/cli/settings/guard-options.test.ts',
  'test/cli/commands/health-command.test.ts',
  'test/cli/serve/login-commands.test.ts',
  'test/cli/serve/login-warnings.test.ts',
  // The documents' commands and examples.
  'test/docs/commands.test.ts',
  'test/docs/login-clients.test.ts',
  'test/docs/security-guide.test.ts',
  'test/docs/tools.test.ts',
  'test/examples/**/*.test.ts',
  // Attacks.
  'test/adapters/native/large-filters.test.ts',
  'test/adapters/native/long-tags.test.ts',
  'test/adapters/native/many-regions.test.ts',
  'test/doors/connection-resets.test.ts',
  'test/doors/rest/large-body-stop.test.ts',
  'test/doors/rest/rest-memory.test.ts',
  'test/doors/thrift/service/large-calls.test.ts',
  'test/doors/thrift/transport/memory.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/gateway/policies/access/many-cells.test.ts',
  'test/security/**/*.test.ts',
  // Matrices of users, certificates and doors.
  'test/gateway/policies/access/matrix-of-doors.test.ts',
  'test/gateway/identity/guard/doors-with-guard.test.ts',
  'test/gateway/identity/guard/users-file.test.ts',
  'test/gateway/policies/labels/recorded-answers.test.ts',
  // Long histories, with kills and losses of power.
  'test/adapters/native/*simulation.test.ts',
  'test/adapters/native/explorer.test.ts',
  'test/adapters/native/write/wide-*.test.ts',
  'test/adapters/native/lives.test.ts',
  'test/adapters/native/overwritten-crashes.test.ts',
  'test/store/differential-filters.test.ts',
  // The suite and the recordings on other stores than the engine.
  'test/conformance/command.test.ts',
  'test/conformance/foreign-names.test.ts',
  'test/conformance/replay-memory.test.ts',
  'test/store/hbase.test.ts',
  'test/store/servers.test.ts',
  'test/store/worker-thread.test.ts',
]

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StartedTidegateProcess, TidegateProcess } from '../src/tidegate-process.ts'
import { checkDoors, checkFaults, checkIsGone, checkSeedAndReset, SEED } from './shared-checks.ts'

let server: StartedTidegateProcess
before(async () => {
  server = await new TidegateProcess().withSeed(SEED).start()
})
after(() => server.stop())

test('the process has the seed, and has it again after a reset', () => checkSeedAndReset(server))
test('the process makes faults by rule', () => checkFaults(server))
test('every door of the process listens', () => checkDoors(server))

test('the process is gone after its stop, and a second stop does nothing', async () => {
  const other = await new TidegateProcess().start()
  await other.stop()
  await other.stop()
  await checkIsGone(other)
})

test('variables in the environment of the tests choose no store', async () => {
  process.env['TIDEGATE_STORE'] = 'hbase:nowhere.invalid:1'
  try {
    await (await new TidegateProcess().start()).stop()
  } finally {
    delete process.env['TIDEGATE_STORE']
  }
})

test('a start that fails says why, in the words of the server', async () => {
  await assert.rejects(
    new TidegateProcess().withOptions('--batch-max', 'many').start(),
    /ended with 2.*batch-max/s,
  )
  await assert.rejects(
    new TidegateProcess('/nowhere/tidegate').start(),
    /cannot be started.*TIDEGATE_COMMAND/s,
  )
  await assert.rejects(new TidegateProcess().withStartupTimeout(1).start(), /was not ready after 1 ms/)
})

test('the start reports a door that is off', async () => {
  await assert.rejects(new TidegateProcess().withOptions('--thrift', 'off').start(), /no door thrift/)
})

test('a seed that the server refuses fails the start', async () => {
  const wrong = { tables: [{ name: 'a b', families: ['f'] }] }
  await assert.rejects(new TidegateProcess().withSeed(wrong).start(), /refuses POST/)
})

/** Needs a Docker daemon, or a stand-in for one that DOCKER_HOST names. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StartedTidegateContainer, TidegateContainer } from '../src/tidegate-container.ts'
import { checkDoors, checkFaults, checkIsGone, checkSeedAndReset, SEED } from './shared-checks.ts'

let server: StartedTidegateContainer
before(async () => {
  server = await new TidegateContainer().withSeed(SEED).start()
})
after(() => server.stop())

test('the container has the seed, and has it again after a reset', () => checkSeedAndReset(server))
test('the container makes faults by rule', () => checkFaults(server))
test('every door of the container listens', () => checkDoors(server))

test('clients of native RPC get the address that leads to the container', async () => {
  const { host, port } = server.rpc
  const regions = await fetch(`${server.restUrl}/shop:orders/regions`, {
    headers: { accept: 'application/json' },
  })
  const { Region } = (await regions.json()) as { Region: readonly { readonly location: string }[] }
  assert.deepEqual(
    Region.map(({ location }) => location),
    [`${host}:${port}`],
  )
})

test('one definition starts several containers', async () => {
  const definition = new TidegateContainer()
  const [first, second] = [await definition.start(), await definition.start()]
  assert.notEqual(first.rpc.port, second.rpc.port)
  await first.stop()
  await checkIsGone(first)
  await checkDoors(second)
  await second.stop()
})

test('a seed that the server refuses fails the start', async () => {
  const wrong = { tables: [{ name: 'a b', families: ['f'] }] }
  await assert.rejects(new TidegateContainer().withSeed(wrong).start(), /refuses POST/)
})

test('an image that is not there fails the start', async () => {
  await assert.rejects(
    new TidegateContainer('tidegate-nowhere').start(),
    /pull access denied for tidegate-nowhere/,
  )
})

/** Checks that every server for tests must pass. */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Address, StartedTidegate } from '../src/started-tidegate.ts'
import type { Seed } from '../src/test-requests.ts'

export const SEED: Seed = {
  namespaces: ['shop'],
  tables: [{ name: 'shop:orders', families: ['d'], rows: { 'order-1': { 'd:total': '12' } } }],
}
const ORDER = '/shop:orders/order-1/d:total'
const OCTETS = { accept: 'application/octet-stream', 'content-type': 'application/octet-stream' }

async function readOrder({ restUrl }: StartedTidegate): Promise<string> {
  const answer = await fetch(`${restUrl}${ORDER}`, { headers: OCTETS })
  const text = await answer.text()
  return answer.ok ? text : String(answer.status)
}

async function writeOrder({ restUrl }: StartedTidegate, body: string): Promise<number> {
  const answer = await fetch(`${restUrl}${ORDER}`, { method: 'PUT', headers: OCTETS, body })
  await answer.text()
  return answer.status
}

async function isOpen({ host, port }: Address): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })
}

export async function checkSeedAndReset(server: StartedTidegate): Promise<void> {
  assert.equal(await readOrder(server), '12')
  assert.equal(await writeOrder(server, '13'), 200)
  assert.equal(await readOrder(server), '13')
  await server.reset()
  assert.equal(await readOrder(server), '12')
  await server.reset({})
  assert.equal(await readOrder(server), '404')
  await server.reset()
  await assert.rejects(server.reset({ tables: [{ name: 'a b', families: ['f'] }] }), /refuses POST .* 400/)
}

export async function checkFaults(server: StartedTidegate): Promise<void> {
  await server.reset()
  await server.fault({ on: ['write'], table: 'shop:orders', after: 1, times: 1, error: 'RegionTooBusy' })
  const statuses = [
    await writeOrder(server, 'a'),
    await writeOrder(server, 'b'),
    await writeOrder(server, 'c'),
  ]
  assert.deepEqual(statuses, [200, 503, 200])
  assert.deepEqual(await server.faultsMade(), [1])
  await server.fault()
  assert.deepEqual(await server.faultsMade(), [])
  await assert.rejects(server.fault({ on: ['get'] }), /a fault: delayMs, error, loseScanner or hangUp/)
}

export async function checkDoors({ thrift, rpc, zookeeper, webUrl }: StartedTidegate): Promise<void> {
  for (const address of [thrift, rpc, zookeeper]) assert.equal(await isOpen(address), true)
  assert.equal((await fetch(`${webUrl}/health/ready`)).status, 200)
}

export async function checkIsGone({ rpc, restUrl }: StartedTidegate): Promise<void> {
  assert.equal(await isOpen(rpc), false)
  await assert.rejects(fetch(`${restUrl}/version`))
}

/** Large protected messages at the native RPC door: other clients are served while one is read or made. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SaslLayer } from '../../../../src/wire/sasl/sasl.ts'
import { FakeClient } from '../../../harness/fake-kerberos.ts'
import { AuthCode, behindLength, SaslTalk } from '../../../harness/sasl-talk.ts'
import { SlowLayer } from '../../../harness/slow-layer.ts'
import { GET, getOf, type KerberosDoor, MUTATE, putOf, startKerberosDoor } from './kerberos-door.ts'

const LARGE = 100_000
const VALUE = Buffer.alloc(2_000_000, 'a large value ')

let door: KerberosDoor
let layers: SlowLayer[]
const talks: SaslTalk[] = []

beforeEach(async () => {
  layers = []
  door = await startKerberosDoor({ protections: ['privacy'] })
  door.service.layerOf = (layer: SaslLayer) => {
    const slow = new SlowLayer(layer, LARGE)
    layers.push(slow)
    return slow
  }
})

afterEach(async () => {
  for (const talk of talks.splice(0)) talk.close()
  await expect.poll(() => [door.service.open, door.memory.granted]).toEqual([0, 0])
  await door.close()
})

async function client(): Promise<{ readonly talk: SaslTalk; readonly layer: SlowLayer }> {
  const talk = await SaslTalk.open(door.port)
  talks.push(talk)
  await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: 'alice@TEST' }, ['privacy']))
  talk.header()
  await talk.call(GET, getOf(door, 'none'))
  return { talk, layer: layers.at(-1)! }
}

test('a large request and a large answer come whole, in small and large pieces, behind and before small ones', async () => {
  const { talk, layer } = await client()
  const requests = [
    talk.request(GET, getOf(door, 'r')),
    talk.request(MUTATE, putOf(door, 'r', VALUE)),
    talk.request(GET, getOf(door, 'none')),
  ]
  talk.send(Buffer.concat(requests))
  talk.send(talk.request(MUTATE, putOf(door, 's', VALUE)), LARGE / 2)
  talk.send(talk.request(MUTATE, putOf(door, 't', VALUE)), 3 * LARGE)
  for (let answers = 0; answers < 5; answers++) expect((await talk.response()).exception).toBeUndefined()
  for (const row of ['r', 's', 't']) {
    const { result } = await talk.call(GET, getOf(door, row))
    expect(Buffer.from(result!.cell[0]!.value).equals(VALUE)).toBe(true)
  }
  expect(layer.count).toBeGreaterThan(2 + 3 * (VALUE.length / (256 * 1024)))
})

test('other clients are served while a request is read, and nothing behind it', async () => {
  const [{ talk, layer }, { talk: other }] = [await client(), await client()]
  const release = layer.hold()
  talk.send(talk.request(MUTATE, putOf(door, 'r', VALUE)))
  talk.send(talk.request(GET, getOf(door, 'r')))
  await expect.poll(() => layer.isBusy).toBe(true)
  for (let turn = 0; turn < 5; turn++) await other.call(GET, getOf(door, 'none'))
  expect(door.memory.granted).toBeGreaterThanOrEqual(2 * VALUE.length)
  release()
  for (let answers = 0; answers < 2; answers++) expect((await talk.response()).exception).toBeUndefined()
})

test('no more is read of a client whose message is being read', async () => {
  const [{ talk, layer }, { talk: other }] = [await client(), await client()]
  const release = layer.hold()
  for (let request = 0; request < 11; request++) talk.send(talk.request(MUTATE, putOf(door, 's', VALUE)))
  await expect.poll(() => layer.isBusy).toBe(true)
  for (let turn = 0; turn < 20; turn++) await other.call(GET, getOf(door, 'none'))
  expect(door.memory.granted).toBeLessThan(4 * VALUE.length)
  release()
  for (let answers = 0; answers < 11; answers++) expect((await talk.response()).exception).toBeUndefined()
})

test('a connection that ends meanwhile frees its memory and its login only afterwards', async () => {
  const { talk, layer } = await client()
  const release = layer.hold()
  talk.send(talk.request(MUTATE, putOf(door, 'r', VALUE)))
  await expect.poll(() => layer.isBusy).toBe(true)
  talk.close()
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.memory.granted).toBeGreaterThanOrEqual(2 * VALUE.length)
  release()
  await expect.poll(() => door.memory.granted).toBe(0)
})

test('a connection that ends while its answer is made gives its memory back', async () => {
  const { talk, layer } = await client()
  await talk.call(MUTATE, putOf(door, 'r', VALUE))
  const release = layer.hold()
  talk.send(talk.request(GET, getOf(door, 'r')))
  await expect.poll(() => layer.isBusy).toBe(true)
  talk.socket.resetAndDestroy()
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.memory.granted).toBeGreaterThan(0)
  release()
  await expect.poll(() => door.memory.granted).toBe(0)
})

test('a large message that was changed ends the connection', async () => {
  const { talk } = await client()
  const token = talk.layer!.wrap(talk.request(MUTATE, putOf(door, 'r', VALUE)))
  token[LARGE]! ^= 1
  talk.socket.write(behindLength(token))
  const refusal = await talk.response()
  expect(refusal.exception?.message).toContain('not protected as the login has agreed (privacy)')
  await talk.closed
})

/** Labels of cells go to a peer as text, since each cluster has numbers of its own for them. */

import { afterEach, expect, test } from 'vitest'
import { OWN_CALL } from '../../src/store/call.ts'
import { expressionMessage, VISIBILITY_ATTRIBUTE } from '../../src/wire/rpc/label-messages.ts'
import { bytes, Server, T } from './two-servers.ts'

const servers: Server[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.remove()))
})

async function labelled(labels: readonly string[], authorization = false): Promise<Server> {
  const server = new Server({ authorization, visibilityLabels: true, superuser: 'tester', insecure: true })
  servers.push(server)
  await server.start()
  await server.store.upkeep.labels!.addLabels(labels.map(bytes), OWN_CALL)
  await server.makeTable()
  return server
}

/** Tags of the only cell, as hex. */
async function tagsIn(server: Server): Promise<string> {
  const [cell] = await server.cells()
  return cell!.split(' ')[1]!
}

function put(server: Server, expression: string): Promise<void> {
  const attributes = new Map([[VISIBILITY_ATTRIBUTE, expressionMessage(expression)]])
  return server.mutate(
    (batch) => batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v')),
    { attributes },
    T,
  )
}

test('a peer with labels writes its own numbers, and one without keeps the text', async () => {
  const a = await labelled(['secret', 'other "one"'], true)
  const b = await labelled(['first', 'second', 'other "one"', 'secret'])
  const plain = await new Server().start()
  servers.push(plain)
  await plain.makeTable()
  await put(a, 'secret&!"other \\"one\\""')
  await a.follow('b', b)
  await a.follow('plain', plain)
  await put(a, '(secret&!"other \\"one\\"")|secret')
  await Promise.all([b.hasValue('v'), plain.hasValue('v')])
  const text = Buffer.from(await tagsIn(plain), 'hex').toString('latin1')
  expect(text.slice(3)).toBe('(!"other \\"one\\""&"secret")|("secret")')
  expect(text.slice(2, 3)).toBe('\x07')
  // The label secret has the number 2 there, and 5 here.
  expect(await tagsIn(b)).toMatch(/05$/)
  expect(await tagsIn(a)).toMatch(/02$/)
})

test('only administrators change peers', async () => {
  const a = await labelled(['secret'], true)
  const b = await new Server().start()
  servers.push(b)
  await a.follow('1', b)
  const other = await a.openAs('mallory')
  try {
    const disabled = other.upkeep.peers!.changePeer('1', { kind: 'DISABLE' }, OWN_CALL)
    await expect(disabled).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  } finally {
    await other.close()
  }
  await a.store.upkeep.peers!.changePeer('1', { kind: 'DISABLE' }, OWN_CALL)
})

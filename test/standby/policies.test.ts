/** A standby with permissions and labels: their tables follow, and only administrators promote. */

import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OWN_CALL } from '../../src/store/call.ts'
import { expressionMessage, VISIBILITY_ATTRIBUTE } from '../../src/wire/rpc/label-messages.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { bytes, cellsIn } from '../replication/two-servers.ts'
import { caughtUp, PairServer, T, until } from './pair.ts'

/** The standby's own name at its leader, where no password is asked for. */
const OWN_NAME = process.env['HADOOP_USER_NAME'] ?? userInfo().username
const POLICIES = {
  authorization: true,
  visibilityLabels: true,
  superuser: `tester,${OWN_NAME}`,
  insecure: true,
}

let leader: PairServer
let standby: PairServer

beforeEach(async () => {
  leader = await new PairServer(POLICIES).start()
  standby = new PairServer(POLICIES)
})

afterEach(async () => {
  await standby.remove()
  await leader.remove()
})

test('permissions and labels follow, and count at once', { timeout: 60_000 }, async () => {
  await leader.makeTable()
  await leader.store.upkeep.labels!.addLabels([bytes('secret')], OWN_CALL)
  const attributes = new Map([[VISIBILITY_ATTRIBUTE, expressionMessage('secret')]])
  await leader.mutate((batch) => batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('hidden')), {
    attributes,
  })
  await leader.put('s', 'plain')
  await standby.start({ follow: `rpc:${leader.address}` })
  const bob = await openRpcStore(standby.port, { retriesMax: 2 }, 'bob')
  await expect(cellsIn(bob, T)).rejects.toThrow(/Insufficient permissions|bob/)
  const permission = { scope: { kind: 'table', table: T }, actions: ['READ'] } as const
  await leader.store.upkeep.permissions!.grant({ user: 'bob', permission }, false, OWN_CALL)
  await until(async () => (await cellsIn(bob, T)).length === 1)
  await leader.store.upkeep.labels!.setAuths(bytes('bob'), [bytes('secret')], OWN_CALL)
  await until(async () => (await cellsIn(bob, T)).length === 2)
  await caughtUp(leader, standby)
  await bob.close()
})

test('only administrators promote, and the audit log says who', { timeout: 60_000 }, async () => {
  const auditLog = join(leader.folder, 'audit.log')
  await standby.start({ follow: `rpc:${leader.address}`, auditLog })
  const bob = await openRpcStore(standby.port, { retriesMax: 2 }, 'bob')
  const promotion = { keepsIdentity: false, waitMs: 0 }
  await expect(bob.upkeep.standby!.promote(promotion, OWN_CALL)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
  })
  await expect(bob.upkeep.standby!.stepDown(9, 'bob:1', OWN_CALL)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
  })
  await standby.standby.promote(promotion, OWN_CALL)
  await bob.close()
  await standby.stop()
  const lines = readFileSync(auditLog, 'utf8').split('\n')
  const hasLine = (...words: readonly string[]): boolean =>
    lines.some((line) => words.every((word) => line.includes(word)))
  expect(hasLine('"bob"', '"requireAdmin"', '"allowed":false')).toBe(true)
  expect(hasLine('"tester"', '"promote"', '"allowed":true')).toBe(true)
})

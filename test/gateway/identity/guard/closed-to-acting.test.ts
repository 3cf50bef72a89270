import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { placeFrom } from '../../../harness/login-place.ts'

test('a door whose key says so lets no user act for others, whatever the rules; another door does', async () => {
  const rule = { users: ['*'], groups: [], hosts: ['*'] }
  const settings = {
    certificates: true,
    proxyRules: new Map([['knox', rule]]),
    closedToActing: new Set(['rest']),
  }
  const guard = new Guard(settings, pino({ enabled: false }))
  const knox = { user: 'knox' }
  await expect(guard.actingFor(knox, 'ann', placeFrom('127.0.0.1', 'rest'))).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: expect.stringContaining('hbase.rest.support.proxyuser is false'),
  })
  await expect(guard.actingFor(knox, 'knox', placeFrom('127.0.0.1', 'rest'))).resolves.toEqual({
    user: 'knox',
  })
  await expect(guard.actingFor(knox, 'ann', placeFrom('127.0.0.1', 'thrift'))).resolves.toEqual({
    user: 'ann',
    realUser: 'knox',
  })
})

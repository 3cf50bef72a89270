import { afterEach, beforeEach, expect, test } from 'vitest'
import { isListed } from '../../../src/doors/timeline/domains/acls.ts'
import type { LoginRequest } from '../../../src/gateway/identity/guard/foreign-pages.ts'
import type { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import { Refused } from '../../../src/gateway/identity/guard/login-errors.ts'
import { type TimelineServer, timelineServer } from './timeline-server.ts'

const START = 1425447797805

let server: TimelineServer

beforeEach(async () => {
  server = await timelineServer({ 'yarn.acl.enable': 'true', 'yarn.admin.acl': 'root,hadoop' })
  await server.putDomain({ id: 'd', readers: 'reader', writers: 'writer,other group' }, 'owner')
})

afterEach(() => server.close())

const errorsOf = async (user: string, entity: string): Promise<string> =>
  (
    await server.post(
      [
        {
          entity,
          entitytype: 't',
          domain: 'd',
          starttime: START,
          events: [{ timestamp: 1, eventtype: 'e' }],
        },
      ],
      user,
    )
  ).text

test('writers, owner and admins may put, others may not', async () => {
  for (const user of ['owner', 'writer', 'other', 'root'])
    expect(await errorsOf(user, user)).toBe('{"errors":[]}')
  for (const user of ['reader', 'group', 'stranger'])
    expect(await errorsOf(user, user)).toContain('"errorcode":4')
  const { text } = await server.post([{ entity: 'x', entitytype: 't', domain: 'nowhere' }], 'owner')
  expect(text).toContain('"errorcode":4')
  expect((await server.post([{ entity: 'x', entitytype: 't' }], 'anyone')).text).toBe('{"errors":[]}')
})

test('readers, owner and admins see entities and their events, others do not', async () => {
  await errorsOf('owner', 'e')
  const seen = async (path: string, user: string): Promise<boolean> => {
    const { status, text } = await server.get(`${path}${path.includes('?') ? '&' : '?'}user.name=${user}`)
    return status === 200 && text.includes('"e"')
  }
  for (const path of ['/t', '/t/e', '/t/events?entityId=e']) {
    for (const user of ['owner', 'reader', 'hadoop'])
      expect([path, user, await seen(path, user)]).toEqual([path, user, true])
    for (const user of ['writer', 'stranger'])
      expect([path, user, await seen(path, user)]).toEqual([path, user, false])
  }
  expect((await server.get('/t')).text).toBe('{"entities":[]}')
  expect((await server.get('/t/e')).status).toBe(404)
})

test('owner and admins see and change a domain, others do not', async () => {
  expect((await server.get('/domain/d?user.name=owner')).status).toBe(200)
  expect((await server.get('/domain/d?user.name=reader')).status).toBe(404)
  expect((await server.get('/domain?owner=owner&user.name=reader')).text).toBe('{"domains":[]}')
  expect((await server.putDomain({ id: 'd' }, 'reader')).status).toBe(403)
  expect((await server.putDomain({ id: 'd', readers: '*' }, 'root')).status).toBe(200)
  expect((await server.get('/domain/d?user.name=owner')).text).toContain('"owner":"owner","readers":"*"')
})

test.each([
  ['*', 'a', true],
  ['a,b', 'b', true],
  ['a, b', 'b', false],
  [' group', 'group', false],
  ['', 'a', false],
  [undefined, 'a', false],
])('the list %j and %s', (list, user, listed) => {
  expect(isListed(list, user)).toBe(listed)
})

test('where clients must show who they are, what they say of themselves does not count', async () => {
  const guard = {
    challengesAt: () => ['Bearer'],
    forgettingCookie: () => undefined,
    ofHttp: ({ headers: { authorization } }: LoginRequest) => {
      if (authorization === undefined) throw new Refused('no credentials')
      return { user: authorization }
    },
  } as unknown as Guard
  const guarded = await timelineServer({}, server.store, { guard })
  try {
    const put = (authorization?: string): Promise<{ status: number; headers: Headers }> =>
      guarded.ask('/ws/v1/timeline/domain?user.name=mallory', {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          ...(authorization !== undefined && { authorization }),
        },
        body: '{"id":"shown"}',
      })
    const refused = await put()
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await put('dave')).status).toBe(200)
    expect((await server.get('/domain/shown?user.name=dave')).text).toContain('"owner":"dave"')
  } finally {
    await guarded.close()
  }
})

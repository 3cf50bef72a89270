/** Acting for another user at the doors that are none of HBase's: the web door, and YARN's timeline. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'

const PASSWORD = 'a password for each of them'

let folder: PemFolder
let server: Tidegate
beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  for (const name of ['alice', 'bob']) await writeUser(users, name, PASSWORD)
  server = await startTidegate({
    users,
    proxyUser: ['alice for carol from 127.0.0.0/8', 'bob for * from 10.0.0.1'],
    web: 0,
    timeline: 0,
  })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

interface Request extends RequestInit {
  readonly user?: string
  readonly headers?: Readonly<Record<string, string>>
}

function ask(
  door: 'web' | 'timeline',
  path: string,
  { user, headers, ...rest }: Request = {},
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`
  const shown: Record<string, string> = { ...headers, ...(user !== undefined && { authorization }) }
  return fetch(`http://127.0.0.1:${server.ports[door]}${path}`, { ...rest, headers: shown })
}

/** The user that the door takes the client for. */
const ASKED = {
  web: async (query: string, request: Request): Promise<string> => {
    const answer = await ask('web', `/console/api/overview${query}`, request)
    return answer.ok ? ((await answer.json()) as { user: string }).user : `${answer.status}`
  },
  timeline: async (query: string, request: Request): Promise<string> => {
    const id = `domain${Math.random()}`
    const body = JSON.stringify({ id })
    const put = { ...request, method: 'PUT', body }
    const headers = { ...request.headers, 'content-type': 'application/json' }
    const answer = await ask('timeline', `/ws/v1/timeline/domain${query}`, { ...put, headers })
    if (!answer.ok) return `${answer.status}`
    const domain = await ask('timeline', `/ws/v1/timeline/domain/${id}${query}`, request)
    return ((await domain.json()) as { owner: string }).owner
  },
} as const

describe.each(['web', 'timeline'] as const)('%s', (door) => {
  const asked = ASKED[door]

  test('a rule lets him, by parameter and by header', async () => {
    expect(await asked('', { user: 'alice' })).toBe('alice')
    for (const query of ['?doAs=carol', '?DOAS=carol', '?x=1&do%41s=carol', '?doAs=carol&doAs=carol'])
      expect(await asked(query, { user: 'alice' })).toBe('carol')
    expect(await asked('', { user: 'alice', headers: { doAs: 'carol' } })).toBe('carol')
    expect(await asked('', { user: 'alice' })).toBe('alice')
  })

  test('without one, or from elsewhere, he may not', async () => {
    expect(await asked('?doAs=bob', { user: 'alice' })).toBe('403')
    expect(await asked('?doAs=carol', { user: 'bob' })).toBe('403')
    expect(await asked('', { user: 'bob', headers: { doAs: 'carol' } })).toBe('403')
    expect(await asked('?doAs=carol', {})).toBe('401')
  })

  test('several names, and none, are refused', async () => {
    expect(await asked('?doAs=carol&doAs=bob', { user: 'alice' })).toBe('400')
    expect(await asked('?doAs=carol', { user: 'alice', headers: { doAs: 'bob' } })).toBe('400')
    expect(await asked('?doAs=', { user: 'alice' })).toBe('400')
  })
})

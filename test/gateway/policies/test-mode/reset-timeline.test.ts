/** A reset under a timeline door, which has tables of its own in the store, and remembers some of what is in them. */

import { afterEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const NAME = { entity: 'id_1', entitytype: 'type_1' }

let server: Tidegate
afterEach(() => server.stop())

interface Answer {
  readonly status: number
  readonly text: string
}

async function ask(port: number | undefined, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: JSON_TYPE, ...init })
  return { status: response.status, text: await response.text() }
}

const timeline = (path: string, init?: RequestInit): Promise<Answer> =>
  ask(server.ports.timeline, `/ws/v1/timeline${path}`, init)
const put = (starttime: number, more: object = {}): Promise<Answer> =>
  timeline('?user.name=alice', {
    method: 'POST',
    body: JSON.stringify({ entities: [{ ...NAME, ...more, starttime }] }),
  })
const startTime = async (): Promise<unknown> =>
  (JSON.parse((await timeline('/type_1/id_1')).text) as { readonly starttime?: unknown }).starttime
const reset = (): Promise<Answer> => ask(server.ports.web, '/_test/reset', { method: 'POST' })
const tables = async (): Promise<string[]> =>
  (await ask(server.ports.rest, '/', { headers: { accept: 'text/plain' } })).text.split('\n').sort()

test.each(['yarn.timeline-service.ttl-enable=false', 'yarn.timeline-service.ttl-ms=3600000'])(
  'with %s the door begins anew',
  async (setting) => {
    server = await startTidegate({ web: 0, timeline: 0, testMode: true, define: [setting] })
    const atBegin = await tables()
    expect(atBegin).toContain('timeline:starttime')
    const [now, later] = [Date.now(), Date.now() + 1]
    const domain = { id: 'd', readers: '*', writers: '*' }
    const putDomain = (): Promise<Answer> =>
      timeline('/domain?user.name=alice', { method: 'PUT', body: JSON.stringify(domain) })
    for (const time of [now, later]) {
      expect((await putDomain()).status).toBe(200)
      expect(await put(time, { domain: 'd' })).toEqual({ status: 200, text: '{"errors":[]}' })
      // Its first start time stays, but it must not outlive the reset.
      expect(await startTime()).toBe(time)
      expect((await timeline('/domain/d')).status).toBe(200)
      expect((await reset()).status).toBe(200)
      expect(await tables()).toEqual(atBegin)
      expect((await timeline('/type_1/id_1')).status).toBe(404)
      expect((await timeline('/domain/d')).status).toBe(404)
      expect((await timeline('/domain/DEFAULT')).status).toBe(200)
    }
  },
)

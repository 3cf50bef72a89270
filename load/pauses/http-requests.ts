/** Requests to the doors of HTTP, whose answers are counted and not kept. */

import type { Attacked } from './scene.ts'

type Door = 'rest' | 'web'

export interface HttpAnswer {
  readonly status: number
  readonly bytes: number
  readonly location: string | null
}

/** Throws where the server is HBase, of which no such door is known. */
export async function ask(
  { server }: Attacked,
  door: Door,
  path: string,
  init: RequestInit = {},
): Promise<HttpAnswer> {
  if (server.http === undefined) throw new Error('the server has no such door')
  const response = await fetch(`http://127.0.0.1:${server.http[door]}${path}`, init)
  let bytes = 0
  if (response.body !== null)
    for await (const piece of response.body as AsyncIterable<Uint8Array>) bytes += piece.length
  return { status: response.status, bytes, location: response.headers.get('location') }
}

/** Resolves to the status and the size of the answer. */
export async function gets(attacked: Attacked, door: Door, path: string, accept?: string): Promise<string> {
  const { status, bytes } = await ask(
    attacked,
    door,
    path,
    accept === undefined ? {} : { headers: { accept } },
  )
  return `${status}, ${bytes} bytes`
}

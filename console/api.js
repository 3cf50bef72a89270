/** Requests the console's data from the server. In answers bytes are base64, and 64-bit numbers are text. */

export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {string} [code] @param {{ percent: number }} [progress] */
  constructor(message, status, code, progress) {
    super(message)
    this.status = status
    this.code = code
    /** Of a server that starts. */
    this.progress = progress
  }
}

/** The server is not there, or does not answer. */
export class NoAnswer extends Error {}

const HEADERS = { 'X-Tidegate-Console': '1' }

/** @param {Response} answer */
async function read(answer) {
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  const body = isJson ? JSON.parse(text) : undefined
  if (answer.ok) return body
  throw new Refusal(
    body?.error ?? (text.trim() || `The server answered with status ${answer.status}.`),
    answer.status,
    body?.code,
    body?.progress,
  )
}

/**
 * @param {string} name
 * @param {Iterable<readonly [string, string]>} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(name, parameters = [], signal) {
  const query = new URLSearchParams([...parameters].map(([key, value]) => [key, value])).toString()
  const address = `api/${name}${query === '' ? '' : `?${query}`}`
  return await read(await request(address, { headers: HEADERS, signal: signal ?? null }))
}

/** @param {Readonly<Record<string, unknown>>} change */
export async function change(change) {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' }
  return await read(await request('api/changes', { method: 'POST', headers, body: JSON.stringify(change) }))
}

/** @param {string} address @param {RequestInit} init */
async function request(address, init) {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new NoAnswer('The server does not answer.', { cause: error })
  }
}

/**
 * Asks a real HBase REST server and Tidegate the same things and compares what they answer. Left out of the comparison:
 * times that a server chose, scanner ids, and the pages that HBase's servlet container writes for errors, of which the
 * status counts.
 */

import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { adminCases, scannerBodies } from './rest-admin-cases.ts'
import { get, JSON_TYPE, type RestCase, readCases, send } from './rest-cases.ts'
import { writeCases } from './rest-write-cases.ts'

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Comparison {
  passed: number
  failures: string[]
}

const COMPARED_HEADERS = [
  'content-type',
  'content-encoding',
  'cache-control',
  'location',
  'allow',
  'x-row',
  'x-column',
  'x-timestamp',
]
const READS_MAX = 40
/** Field 3, a varint of six bytes that ends as present times do. */
const PROTOBUF_TIME = new RegExp(`${String.fromCharCode(0x18)}[\\u0080-\\u00ff]{5}4`, 'g')

class Server {
  readonly #base: URL
  readonly #names: Readonly<Record<string, string>>
  readonly #agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(base: string, names: Readonly<Record<string, string>>) {
    this.#base = new URL(base)
    this.#names = names
  }

  close(): void {
    this.#agent.destroy()
  }

  ask(asked: RestCase): Promise<Reply> {
    const path = asked.path.replace(/\{(\w)\}/g, (_, key: string) => this.#names[key] ?? '')
    const { hostname, port } = this.#base
    const { method, headers } = asked
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers, agent: this.#agent }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          const isZipped = answer.headers['content-encoding'] === 'gzip' && body.length > 0
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as Record<string, string>,
            body: isZipped ? gunzipSync(body) : body,
          })
        })
      })
      sent.on('error', reject)
      sent.setTimeout(60_000, () => sent.destroy(new Error('no answer for a minute')))
      sent.end(asked.body)
    })
  }
}

function isErrorPage({ status, headers, body }: Reply): boolean {
  if (status < 400) return false
  const type = headers['content-type'] ?? ''
  return (
    body.length === 0 || type.includes('iso-8859-1') || body.includes('"servlet":') || type.includes('html')
  )
}

/** The parts of an answer that must agree, as text to compare and to show. */
function comparable(reply: Reply, onlyStatus: boolean): string {
  const { status, headers, body } = reply
  if (onlyStatus) return `${status} allow=${(headers['allow'] ?? '').split(',').sort().join()}`
  const shown = COMPARED_HEADERS.filter((name) => headers[name] !== undefined)
    .map((name) => `${name}: ${withoutServer(headers[name]!)}`)
    .join('; ')
  return `${status} [${shown}] ${status >= 400 ? errorText(body) : bodyText(reply)}`
}

function withoutServer(text: string): string {
  return text
    .replace(/^http:\/\/[^/]+/, '')
    .replace(/scanner\/\w+$/, 'scanner/ID')
    .replace(/^1[789]\d{11}$/, 'NOW')
}

function bodyText({ headers, body }: Reply): string {
  const type = headers['content-type'] ?? ''
  const text = /json|xml|plain/.test(type) ? body.toString() : body.toString('latin1')
  if (/protobuf|octet/.test(type)) return JSON.stringify(text.replaceAll(PROTOBUF_TIME, 'NOW'))
  return text
    .replaceAll(/\b1[789]\d{11}\b/g, 'NOW')
    .replaceAll(/\b[\da-f]{32}\b/g, 'MD5')
    .replaceAll(/http:\/\/[^/"]+/g, '')
}

/** The first line and the exception's class; the rest of HBase's text is a Java stack. */
function errorText(body: Buffer): string {
  const [line = '', exception = ''] = body.toString().split(/\r?\n/)
  const type = exception.split(':')[0] ?? ''
  return `${line} | ${/^java\.lang\.(?!Illegal)/.test(type) ? 'java.lang.IllegalArgumentException' : type}`
}

function describe({ method, path, headers, body }: RestCase): string {
  const shown = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 160))}`
  return `${method} ${path} ${JSON.stringify(headers ?? {})}${shown}`
}

/** `realUrl`, `tidegateUrl`: `http://host:port` of either server. */
export async function compareRest(realUrl: string, tidegateUrl: string): Promise<Comparison> {
  const suffix = randomBytes(4).toString('hex')
  const names = { t: `rest_cmp_${suffix}`, u: `rest_none_${suffix}`, n: `rest_ns_${suffix}` }
  const real = new Server(realUrl, names)
  const tidegate = new Server(tidegateUrl, names)
  const result: Comparison = { passed: 0, failures: [] }
  try {
    for (const asked of readCases) await compareOne(real, tidegate, asked, result)
    for (const [type, body] of scannerBodies) await compareScanner(real, tidegate, type, body, result)
    for (const asked of writeCases) await compareOne(real, tidegate, asked, result)
    for (const asked of adminCases) await compareOne(real, tidegate, asked, result)
  } finally {
    const drop: RestCase = { method: 'DELETE', path: '/{t}/schema' }
    await Promise.allSettled([real.ask(drop), tidegate.ask(drop)])
    real.close()
    tidegate.close()
  }
  return result
}

async function compareOne(
  real: Server,
  tidegate: Server,
  asked: RestCase,
  result: Comparison,
): Promise<readonly [Reply, Reply] | undefined> {
  try {
    const [theirs, ours] = await Promise.all([real.ask(asked), tidegate.ask(asked)])
    judge(asked, theirs, ours, result)
    return [theirs, ours]
  } catch (error) {
    result.failures.push(`${describe(asked)}\n  ${String(error)}`)
    return undefined
  }
}

function judge(asked: RestCase, theirs: Reply, ours: Reply, result: Comparison): void {
  const onlyStatus = isErrorPage(theirs) || asked.deliberate !== undefined
  const expected = comparable(theirs, onlyStatus)
  const found = comparable(ours, onlyStatus)
  if (expected === found) result.passed++
  else result.failures.push(`${describe(asked)}\n  HBase:    ${expected}\n  Tidegate: ${found}`)
}

async function compareScanner(
  real: Server,
  tidegate: Server,
  contentType: string,
  body: string | Buffer,
  result: Comparison,
): Promise<void> {
  const opened = await compareOne(real, tidegate, send('PUT', '/{t}/scanner', contentType, body), result)
  const [theirs, ours] = (opened ?? []).map((reply) => scannerPath(reply))
  if (theirs === undefined || ours === undefined) return
  const types = [JSON_TYPE, 'text/xml', '*/*', 'application/x-protobuf']
  for (let read = 0; read < READS_MAX; read++) {
    const query = read === 2 ? '?n=1' : read === 3 ? '?c=2' : ''
    const type = types[read % types.length]!
    const asked = get(`${theirs}${query}`, type)
    const replies = await Promise.all([real.ask(asked), tidegate.ask(get(`${ours}${query}`, type))])
    judge({ ...asked, body: `scanner of ${body.toString('latin1')}, read ${read}` }, ...replies, result)
    if (replies[0].status !== 200) break
  }
  for (const method of ['DELETE', 'GET']) {
    const asked: RestCase = { method, path: theirs }
    const replies = await Promise.all([real.ask(asked), tidegate.ask({ method, path: ours })])
    judge(asked, ...replies, result)
  }
}

function scannerPath({ status, headers }: Reply): string | undefined {
  const location = headers['location']
  return status === 201 && location !== undefined ? new URL(location).pathname : undefined
}

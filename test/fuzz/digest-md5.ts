/** Both decoders of DIGEST-MD5: the response of a client, the challenge and the proof of a server; and the messages behind a login. */

import { joinDirectives, quotedDirective, readDirectives } from '../../src/wire/sasl/digest-md5-directives.ts'
import { digestLayer } from '../../src/wire/sasl/digest-md5-layer.ts'
import { DigestMd5Server } from '../../src/wire/sasl/digest-md5-server.ts'
import { DIGEST_URI, DigestSession, NONCE_COUNT, REALM } from '../../src/wire/sasl/digest-md5-session.ts'
import { PROTECTIONS, SaslFailure } from '../../src/wire/sasl/sasl.ts'
import { DigestMd5Client } from '../harness/digest-md5-client.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'

const SECRET = Buffer.alloc(16, 7)
const NONCE = Buffer.from('nonce-of-the-server')
const CNONCE = Buffer.from('nonce-of-the-client')

/** A response that the server takes. */
function response(): Buffer {
  const session = new DigestSession({
    username: 'alice',
    realm: REALM,
    password: 'secret',
    nonce: NONCE,
    cnonce: CNONCE,
    authzid: undefined,
    qop: 'auth',
    digestUri: DIGEST_URI,
  })
  return joinDirectives([
    'charset=utf-8',
    quotedDirective('username', 'alice'),
    quotedDirective('realm', REALM),
    quotedDirective('nonce', NONCE),
    `nc=${NONCE_COUNT}`,
    quotedDirective('cnonce', CNONCE),
    quotedDirective('digest-uri', DIGEST_URI),
    'maxbuf=65536',
    `response=${session.ofClient.toString()}`,
    'qop=auth',
  ])
}

function challenge(qop: string): Buffer {
  return joinDirectives([
    quotedDirective('realm', 'default'),
    quotedDirective('nonce', NONCE),
    quotedDirective('qop', qop),
    'charset=utf-8',
    quotedDirective('cipher', '3des'),
    'algorithm=md5-sess',
  ])
}

async function toServer(input: Buffer): Promise<unknown> {
  const server = new DigestMd5Server({
    protections: PROTECTIONS,
    passwordOf: async () => 'secret',
    nonce: NONCE,
  })
  await server.step(Buffer.alloc(0))
  return server.step(input)
}

function toClient(input: Buffer): Promise<unknown> {
  return new DigestMd5Client({
    username: 'alice',
    password: 'secret',
    protections: PROTECTIONS,
    cnonce: CNONCE,
  }).step(input)
}

export const digestLogin: FuzzTarget = {
  name: 'digest-md5-login',
  seeds: () => [challenge('auth'), challenge('auth,auth-int,auth-conf'), response()],
  run: async (input) => {
    const read = readDirectives(input, 4096)
    const tried = await Promise.allSettled([toServer(input), toClient(input)])
    for (const each of tried)
      if (each.status === 'rejected')
        tryEach(input, [
          () => {
            throw each.reason
          },
          () => read,
        ])
    return [read, tried]
  },
}

export const digestMessage: FuzzTarget = {
  name: 'digest-md5-message',
  seeds: () =>
    PROTECTIONS.flatMap((protection) => {
      const layer = digestLayer(protection, SECRET, 'client')
      return layer === undefined ? [] : [layer.wrap(Buffer.from('a message of several blocks'))]
    }),
  run: (input) =>
    tryEach(
      input,
      PROTECTIONS.map((protection) => (bytes: Buffer) => {
        const layer = digestLayer(protection, SECRET, 'server')
        if (layer === undefined) throw new SaslFailure('the message is not protected')
        return layer.unwrap(bytes)
      }),
    ),
}

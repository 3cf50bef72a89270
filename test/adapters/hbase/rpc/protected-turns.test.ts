import { expect, onTestFinished, test } from 'vitest'
import { connected, ECHO, echo } from './echo-connection.ts'
import { FakeKerberosLogin } from './fake-kerberos.ts'
import { FakeSecureServer } from './fake-secure-server.ts'

/** Milliseconds that the slow layer takes for a piece of 64 KB. */
const WRAP_MS = 4
/** The share of such work in each round of the event loop, which has two halves around its immediates. */
const PIECES_OF_ROUND_MAX = 2 * (20 / WRAP_MS + 1)

test('a large protected request gives way to other work', async () => {
  const server = await FakeSecureServer.start({}, echo)
  onTestFinished(() => server.close())
  const login = new FakeKerberosLogin()
  const open = await connected(server.port, {
    user: login.principal,
    kerberos: {
      login,
      principals: ['hbase/host1@REALM'],
      protections: ['privacy'],
      mayFallBack: false,
    },
  })
  const { layer } = [...login.open][0]!
  const wrap = layer!.wrap.bind(layer)
  let [ofRound, most, isDone] = [0, 0, false]
  layer!.wrap = (message) => {
    most = Math.max(most, ++ofRound)
    const endMs = performance.now() + WRAP_MS
    while (performance.now() < endMs);
    return wrap(message)
  }
  const watch = (): void => {
    ofRound = 0
    if (!isDone) setImmediate(watch)
  }
  watch()
  const text = 'x'.repeat(5_000_000)
  const answers = await Promise.all([text, 'small', text].map((each) => open.call(ECHO, each)))
  isDone = true
  expect(answers.map(({ message }) => message.length)).toEqual([text.length, 5, text.length])
  expect(most).toBeLessThanOrEqual(PIECES_OF_ROUND_MAX)
})

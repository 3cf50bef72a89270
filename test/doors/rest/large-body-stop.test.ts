import { expect, test } from 'vitest'
import { startTidegate } from '../../../src/library/start-tidegate.ts'

test('a server that stops first answers the large body that it decodes', async () => {
  const server = await startTidegate()
  const url = `http://127.0.0.1:${server.ports.rest}`
  const made = await fetch(`${url}/t/schema`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"ColumnSchema":[{"name":"f"}]}',
  })
  expect(made.status).toBe(201)
  const rows = Array.from(
    { length: 6000 },
    (_, row) => `<Row key="${btoa(`row${row}`)}"><Cell column="Zjpx">dmFsdWU=</Cell></Row>`,
  )
  const put = (): Promise<Response> =>
    fetch(`${url}/t/rows`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/xml' },
      body: `<CellSet>${rows.join('')}</CellSet>`,
    })
  // A stop gives answers a few seconds: the thread that decodes has begun before it.
  expect((await put()).status).toBe(200)
  const answer = put()
  // The server has the body by the time it has answered a few later requests.
  for (let i = 0; i < 5; i++) await (await fetch(`${url}/version`)).text()
  await server.stop()
  expect((await answer).status).toBe(200)
})

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ownHealthUrl } from '../../../src/cli/commands/health-command.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../../harness/tidegate-process.ts'

function health(...args: string[]): Promise<readonly [code: number | null, output: string]> {
  const child = spawn(process.execPath, [MAIN, 'health', ...args])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve([code, output])))
}

test.each([
  [{}, 'http://127.0.0.1:16010/health'],
  [{ TIDEGATE_HOST: '0.0.0.0', TIDEGATE_WEB: '8000' }, 'http://127.0.0.1:8000/health'],
  [{ TIDEGATE_HOST: '::', TIDEGATE_TLS_CERTIFICATE: 'a.pem' }, 'https://[::1]:16010/health'],
  [{ TIDEGATE_HOST: '10.0.0.7' }, 'http://10.0.0.7:16010/health'],
])('the settings %j are asked at %s', (environment, url) => {
  expect(ownHealthUrl(environment).href).toBe(url)
})

test('tidegate health prints what a server says of itself', async () => {
  await inTemporaryFolder(async (folder) => {
    const tidegate = await startTidegate(`native:${folder}/store`)
    try {
      const [code, output] = await health(`http://127.0.0.1:${tidegate.port('web')}/health`)
      expect(code).toBe(0)
      expect(JSON.parse(output)).toMatchObject({ status: 'ok' })
    } finally {
      await tidegate.stop()
    }
  })
})

test('it ends with 1 where the server does not serve, or does not answer', async () => {
  let asked: string | undefined
  const server = createServer((request, response) => {
    asked = request.url
    response.writeHead(503).end('{"status":"starting"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`
  expect(await health(url)).toEqual([1, '{"status":"starting"}\n'])
  expect(asked).toBe('/health')
  expect((await health(new URL('/', url).href))[0]).toBe(1)
  expect(asked).toBe('/health')
  await new Promise((resolve) => server.close(resolve))
  const [code, output] = await health(url)
  expect(code).toBe(1)
  expect(output).toContain(`tidegate: ${url} does not answer: `)
})

test('an address that is none is a wrong use', async () => {
  const [code, output] = await health('localhost:16010')
  expect(code).toBe(2)
  expect(output).toContain('"localhost:16010" is no URL')
})

import { createServer } from 'node:net'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import type { SettingName } from '../../src/cli/settings/settings-table.ts'
import { startTidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('the library has every setting of serve but that for other processes: it serves in its own', () => {
  // The compiler compares the names.
  expectTypeOf<keyof TidegateOptions>().toEqualTypeOf<Exclude<SettingName, 'processes'>>()
})

test('a library takes no settings from the environment, and none for undefined', async () => {
  vi.stubEnv('TIDEGATE_STORE', 'native:/nonexistent/folder')
  vi.stubEnv('TIDEGATE_THRIFT', 'off')
  const options = { store: undefined, rest: undefined } as unknown as TidegateOptions
  const server = await startTidegate(options)
  expect(server.ports).toEqual({ rest: expect.any(Number) as number, thrift: expect.any(Number) as number })
  await server.stop()
})

test.each<[object, string]>([
  [{ host: '' }, "option 'host' argument '' is invalid"],
  [{ rest: -1 }, "option 'rest' argument '-1' is invalid"],
  [{ batchMax: 1.5 }, "option 'batchMax' argument '1.5' is invalid"],
  [{ users: ['a', 'b'] }, "option 'users' is given twice, and takes one value"],
  [{ ports: { rest: 1 } }, "unknown option 'ports="],
  [{ store: 'native:/dev/null/x' }, 'store: native:/dev/null/x: a part of its path is a file'],
])('%j is refused by the name of the option', async (options, reason) => {
  const { message } = await startTidegate(options).then(
    () => new Error('it started'),
    (error: Error) => error,
  )
  expect(message).toContain(reason)
  expect(message).not.toContain('--')
})

test('a port in use is refused by name, and nothing stays open', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const { port } = holder.address() as { port: number }
  await expect(startTidegate({ thrift: port })).rejects.toThrow(
    `thrift: ${port}: 127.0.0.1:${port} is in use`,
  )
  await new Promise((resolve) => holder.close(resolve))
  const server = await startTidegate({ thrift: port })
  expect(server.ports.thrift).toBe(port)
  await server.stop()
})

import { afterEach, expect, test, vi } from 'vitest'
import { nodeFor, statedThreads } from './server-node.ts'

afterEach(() => void vi.unstubAllEnvs())

test('the flag of a server says its threads, else the variable', () => {
  vi.stubEnv('TIDEGATE_THREADS', '2')
  expect(statedThreads(['serve', '--threads', '3'])).toBe(3)
  expect(statedThreads(['serve'])).toBe(2)
  vi.stubEnv('TIDEGATE_THREADS', undefined)
  expect(statedThreads(['serve'])).toBe(0)
})

test('this Node runs a server without threads, and every other script', async () => {
  expect(await nodeFor(['serve', '--threads', '0'])).toBe(process.execPath)
  vi.stubEnv('TIDEGATE_THREADS', '2')
  expect(await nodeFor(['3000'])).toBe(process.execPath)
})

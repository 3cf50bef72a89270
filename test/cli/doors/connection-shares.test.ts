import { expect, test } from 'vitest'
import { connectionShares, type ShareQuestion } from '../../../src/cli/doors/connection-shares.ts'

const QUESTION: ShareQuestion = {
  doors: ['rest', 'thrift', 'web'],
  connectionsMax: 10_000,
  isStated: false,
  openFilesMax: 1_048_576,
  openFiles: 40,
}

const shares = (question: Partial<ShareQuestion>): Record<string, unknown> => {
  const { connectionsMax, ...rest } = connectionShares({ ...QUESTION, ...question })
  return { ...rest, ...Object.fromEntries(connectionsMax) }
}

test('where files abound, or nobody knows their limit, each door gets the default', () => {
  const all = { rest: 10_000, thrift: 10_000, web: 10_000 }
  expect(shares({})).toEqual({ descriptorsMax: 1_048_576 - 8192, ...all })
  expect(shares({ openFilesMax: undefined })).toEqual({ descriptorsMax: undefined, ...all })
})

test('else the doors share what the store leaves, and a person is told', () => {
  expect(shares({ openFilesMax: 4096 })).toEqual({
    descriptorsMax: 3072,
    rest: 1364,
    thrift: 1364,
    web: 303,
    lowered: expect.stringMatching(
      /^rest 1364, thrift 1364, web 303: this process may open 4096 files, and keeps 1024 .*; raise the limit/,
    ) as string,
  })
  expect(shares({ openFilesMax: 256, doors: ['web'] })).toMatchObject({ descriptorsMax: 192, web: 152 })
  expect(shares({ openFilesMax: 256, doors: ['rest'] })).toMatchObject({ rest: 152 })
  expect(shares({ openFilesMax: 256, openFiles: 5000 })).toMatchObject({ rest: 1, thrift: 1, web: 1 })
})

test('the shares and the files of the store are never more than the limit', () => {
  for (let limit = 256; limit < 100_000; limit += 97) {
    const { connectionsMax, descriptorsMax = 0 } = connectionShares({ ...QUESTION, openFilesMax: limit })
    const sum = [...connectionsMax.values()].reduce((a, b) => a + b)
    expect(descriptorsMax).toBeLessThanOrEqual(limit - 64)
    if (limit < 30_000) expect(sum + QUESTION.openFiles).toBeLessThanOrEqual(descriptorsMax)
  }
})

test('a number that a person states holds, with a warning where the limit may forbid it', () => {
  expect(shares({ isStated: true, openFilesMax: 1024, connectionsMax: 5000 })).toMatchObject({
    rest: 5000,
    web: 5000,
    descriptorsMax: 768,
    warning: expect.stringContaining('5000 connections each only while') as string,
  })
  const { warning } = connectionShares({
    ...QUESTION,
    isStated: true,
    openFilesMax: 4096,
    connectionsMax: 200,
  })
  expect(warning).toBeUndefined()
})

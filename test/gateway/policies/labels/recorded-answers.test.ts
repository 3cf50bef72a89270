import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../../src/package-root.ts'
import { type Answers, askQuestions } from '../../../harness/labels/ask-questions.ts'
import { wantedOfTidegate } from '../../../harness/labels/differences.ts'
import { QUESTIONS } from '../../../harness/labels/questions.ts'
import { type LabelledServer, startLabelledServer } from './labelled-server.ts'

/** The answers of a real HBase with its VisibilityController: npm run visibility-cases -- --record. */
const RECORDED = JSON.parse(
  readFileSync(new URL('test/gateway/policies/labels/recorded-answers.json', packageRoot()), 'utf8'),
) as Answers

const WANTED = wantedOfTidegate(RECORDED)

describe.each(['native', 'memory', 'thread'] as const)('%s', (kind) => {
  let server: LabelledServer
  let answers: Answers
  beforeAll(async () => {
    server = await startLabelledServer(kind, { checksAuths: true })
    answers = await askQuestions((user) => server.open(user), QUESTIONS)
  }, 180_000)
  afterAll(() => server.close())

  test.each(Object.keys(QUESTIONS))('%s: as HBase answers', (question) => {
    expect(answers[question]).toBe(WANTED[question])
  })
})

import { expect, test } from 'vitest'
import { recordedAnswers } from './transcript-tool.ts'

test('a recording is taken apart into its steps', () => {
  const text = '# first\n1\n2 # no step\n# empty\n\n# first\nagain\n'
  expect([...recordedAnswers(text)]).toEqual([
    ['first', '1\n2 # no step'],
    ['empty', ''],
    ['first (2)', 'again'],
  ])
})

import type { Question } from './asking.ts'
import { CHANGE_QUESTIONS } from './change-questions.ts'
import { DELETE_QUESTIONS } from './delete-questions.ts'
import { EXPRESSION_QUESTIONS } from './expression-questions.ts'
import { READ_QUESTIONS } from './read-questions.ts'
import { SERVICE_QUESTIONS } from './service-questions.ts'

export const QUESTIONS: Readonly<Record<string, Question>> = {
  ...EXPRESSION_QUESTIONS,
  ...READ_QUESTIONS,
  ...DELETE_QUESTIONS,
  ...CHANGE_QUESTIONS,
  ...SERVICE_QUESTIONS,
}

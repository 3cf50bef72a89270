import { giveBack } from '../../../gateway/reads/loans.ts'
import type { GotResults } from '../../../gateway/reads/many-gets.ts'
import type { Results } from '../../../model/results.ts'
import type { Answer } from '../http/answer.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service/rest-service.ts'

/** Answers with fewer bytes of cells take no memory from the budget. */
export const SMALL_ANSWER_BYTES: number = 64 * 1024

/** Encodes results, returns them to the store, and counts the memory of the encoded answer for the request. */
export async function largeAnswer(
  { store: { handouts } }: Pick<RestService, 'store'>,
  request: RestRequest,
  { results, grant }: GotResults,
  encode: (results: Results) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await encode(results)
    if (Buffer.isBuffer(answer.body)) request.keepForAnswer(answer.body.length)
    return answer
  } finally {
    giveBack(handouts, results)
    grant.release()
  }
}

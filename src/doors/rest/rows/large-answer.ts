import { giveBack } from '../../../gateway/reads/loans.ts'
import type { GotResults } from '../../../gateway/reads/many-gets.ts'
import type { Results } from '../../../model/results.ts'
import type { Answer } from '../http/answer.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service/rest-service.ts'

/** The memory of answers with fewer bytes of cells is not asked for. */
export const SMALL_ANSWER_BYTES: number = 64 * 1024

/** Encodes results, gives them back, and leaves the request the memory of its encoded answer. */
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

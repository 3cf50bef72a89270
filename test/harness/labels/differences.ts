/** Where Tidegate answers otherwise than HBase, on purpose. */

import type { Answers } from './ask-questions.ts'

const DIFFERENCES: Answers = {
  // HBase's filter of labels counts versions in raw scans, too.
  'versions raw':
    'super carol: f:q@100=0 f:q@99=1 f:q@98=2 f:q@97=3 f:q@96=4 f:q@95=5 f:q@94=6 f:q@93=7 | alice: f:q@100=0 f:q@99=1 f:q@98=2 f:q@97=3 f:q@95=5 f:q@94=6 f:q@93=7 | bob: f:q@100=0 f:q@98=2 f:q@97=3 f:q@96=4 f:q@95=5 f:q@94=6 f:q@93=7 | gina eve: f:q@97=3 f:q@93=7',
  'versions raw of two':
    'super carol: g:q@100=0 g:q@99=1 g:q@98=2 g:q@97=3 g:q@96=4 g:q@95=5 g:q@94=6 g:q@93=7 | alice: g:q@100=0 g:q@99=1 g:q@98=2 g:q@97=3 g:q@95=5 g:q@94=6 g:q@93=7 | bob: g:q@100=0 g:q@98=2 g:q@97=3 g:q@96=4 g:q@95=5 g:q@94=6 g:q@93=7 | gina eve: g:q@97=3 g:q@93=7',
  // HBase's client tries again what can never succeed.
  'delete of the newest version with an unknown label':
    'org.apache.hadoop.hbase.exceptions.FailedSanityCheckException: Invalid visibility label unknown',
  // The words of another library.
  'an attribute that is no CellVisibility':
    'org.apache.hadoop.hbase.exceptions.FailedSanityCheckException: com.google.protobuf.InvalidProtocolBufferException: premature EOF',
}

/** HBase wraps what it cannot read in a plain IOException, which its clients try again in vain. */
function forGood(answer: string): string {
  return answer.replace(
    /java\.io\.IOException: (?:.+ failed after attempts=1: )?(?=org\.apache\.hadoop\.hbase\.(?:security\.visibility\.ParseException|exceptions\.DeserializationException))/g,
    'org.apache.hadoop.hbase.DoNotRetryIOException: ',
  )
}

export function wantedOfTidegate(recorded: Answers): Answers {
  const answers = Object.entries(recorded).map(([question, answer]) => [question, forGood(answer)] as const)
  return { ...Object.fromEntries(answers), ...DIFFERENCES }
}

/** The operations of rows. */

import {
  answered,
  CHECK,
  ENCODING,
  error,
  FORM_BODY,
  inPath,
  inQuery,
  NOT_ACCEPTABLE,
  type Operation,
  type Parameter,
  READ_ONLY,
  RESULTS,
  ROW,
  ROWS,
  ROWS_BODY,
  ROWS_OR_VALUE,
  SCAN_PARAMETERS,
  TABLE,
  UNAVAILABLE,
  UNSUPPORTED_TYPE,
  VERSIONS,
} from './parts.ts'

export type Methods = Readonly<Partial<Record<'get' | 'put' | 'post' | 'delete', Operation>>>

export const COLUMNS: Parameter = inPath('columns', 'family or family:qualifier, with commas between.')
export const TIMES: Parameter = inPath('timestamps', 'A timestamp, or from,to.')

function readRow(...path: readonly Parameter[]): Operation {
  return {
    summary: 'Reads a row, or a range of rows.',
    parameters: [TABLE, ROW, ...path, VERSIONS, ENCODING],
    answers: {
      200: {
        ...answered('The cells, or the value of one cell as it is.', ROWS_OR_VALUE),
        headers: {
          'X-Timestamp': { description: 'Of a value: its timestamp.', schema: { type: 'integer' } },
        },
      },
      400: error("The cells' own bytes are asked for, and the path does not name one column."),
      404: error('There is no such table, family, row or cell.'),
      406: NOT_ACCEPTABLE,
      500: error('The path cannot be read.'),
      503: UNAVAILABLE,
    },
  }
}

function writeRow(...path: readonly Parameter[]): Operation {
  return {
    summary: 'Writes rows. The path states the key and columns that the body leaves out.',
    parameters: [TABLE, ROW, ...path, CHECK, RESULTS, ENCODING],
    body: ROWS_BODY,
    answers: {
      200: answered('It is written. With rr=true, the new cells.', ROWS),
      304: answered('The condition does not hold, and nothing is written.'),
      400: error('The body is no rows, or no such cell can be.'),
      403: READ_ONLY,
      404: error('There is no such table or family.'),
      413: error('The body has too many bytes or rows.'),
      415: UNSUPPORTED_TYPE,
      500: error("HBase's JSON or protobuf of the body is malformed."),
      503: UNAVAILABLE,
    },
  }
}

function deleteRow(...path: readonly Parameter[]): Operation {
  return {
    summary: 'Deletes a row, families or columns of it, or their versions up to a timestamp.',
    parameters: [TABLE, ROW, ...path, ENCODING],
    answers: {
      200: answered('It is deleted, or was not there.'),
      403: READ_ONLY,
      404: error('There is no such table or family.'),
      500: error('The path cannot be read.'),
      503: UNAVAILABLE,
    },
  }
}

export function rowMethods(...path: readonly Parameter[]): Methods {
  const write = writeRow(...path)
  return { get: readRow(...path), put: write, post: write, delete: deleteRow(...path) }
}

export const SCAN: Operation = {
  summary: 'Scans the rows that begin with the prefix, all in one answer unless page or limit cut it.',
  parameters: [TABLE, inPath('prefix', 'Begins every row; may be empty.'), ...SCAN_PARAMETERS],
  answers: {
    200: {
      ...answered('The rows.', ROWS),
      headers: {
        Link: {
          description: 'rel="next": the next answer of a scan that was cut.',
          schema: { type: 'string' },
        },
      },
    },
    400: error('The page or token is none, or of another scan.'),
    404: error('A number of the query is none.'),
    406: NOT_ACCEPTABLE,
    500: error('Every other failure, as of a table that is not there.'),
    501: error('The store has no changes: docs/change-feed.md.'),
  },
}

export const MULTIGET: Operation = {
  summary: 'Reads several rows.',
  parameters: [
    TABLE,
    inQuery('row', 'A key, and columns and timestamps as in a path; may be repeated.'),
    VERSIONS,
    ENCODING,
    inQuery('filter', "In HBase's filter language."),
  ],
  answers: {
    200: answered('The rows that there are.', ROWS),
    404: error('There is none of the rows.'),
    406: NOT_ACCEPTABLE,
    413: error('The rows are too many, or have too many bytes.'),
    500: error('The table or a family is not there, or a row cannot be read.'),
  },
}

/** Besides the answers of every operation: a body of another type is a 405, HBase's answer to every POST here. */
export const FORM_MULTIGET: Operation = {
  ...MULTIGET,
  summary: 'Reads several rows. The body has parameters of the query: a request line has room for few.',
  body: FORM_BODY,
}

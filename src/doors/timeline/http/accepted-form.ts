/** The format of an answer by the header Accept: JSON where the client accepts it, else XML. */

export type Form = 'json' | 'xml'

const TAKES: Readonly<Record<Form, readonly string[]>> = {
  json: ['application/json', 'application/*', '*/*'],
  xml: ['application/xml', 'text/xml', 'text/*'],
}

/** Undefined where the client accepts neither. */
export function acceptedForm(accept: string | undefined): Form | undefined {
  if (accept === undefined || accept.trim() === '') return 'json'
  const taken = accept.split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [type]
  })
  const forms: readonly Form[] = ['json', 'xml']
  return forms.find((form) => TAKES[form].some((type) => taken.includes(type)))
}

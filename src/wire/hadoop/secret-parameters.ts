/** Names of parameters whose values log in: a delegation token of Hadoop, one to renew or cancel, a token of OAuth 2. */
const SECRET_PARAMETER = /([?&](?:delegation|token|access_token)=)[^&# ]+/gi

/** The text without tokens in the queries of its addresses. `instead`: in their place, with the characters of a query. */
export function withoutSecretParameters(text: string, instead: string): string {
  return text.replaceAll(SECRET_PARAMETER, (_, named: string) => `${named}${instead}`)
}

// What a test posts as JSON to a program of its own.

/** Gives the text of the answer; a refusal is an error. */
export async function postJson(url: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answers with HTTP ${answer.status}: ${text}`)
  return text
}

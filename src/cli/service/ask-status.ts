// Asks a URL for the HTTP status of its response, and reads no body.

/** The HTTP status of the response; undefined without one. Follows no redirect. */
export async function askStatus(url: string, withinMs: number, init: RequestInit = {}, by = fetch) {
  try {
    const response = await by(url, { redirect: 'manual', signal: AbortSignal.timeout(withinMs), ...init })
    await response.body?.cancel()
    return response.status
  } catch {
    return undefined
  }
}

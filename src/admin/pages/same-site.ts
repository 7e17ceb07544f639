// Whether a form was sent by a page of ours: the browser says so, and no page of another site can make it say anything else.
import type { Request } from 'express'

/** Refuses what does not tell: a browser tells with every form. */
export function isFromOurPage({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  // Only sent over TLS and on localhost.
  if (site !== undefined) return site === 'same-origin'
  const origin = hostOf(headers.origin)
  return origin !== undefined && (origin === headers.host || origin === hostOf(publicUrl))
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}

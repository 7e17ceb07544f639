// Applies a fault to one API call (faults.ts).
import { STATUS_CODES } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Response } from 'express'
import type { CallFault } from './faults.ts'
import { sendJson } from './send-json.ts'

/** Before the call is handled. Returns true when the call is over. */
export async function faultBefore(fault: CallFault, response: Response): Promise<boolean> {
  if (fault === 'drop') response.destroy()
  if (fault === 'drop' || fault === 'stall') return true
  if (fault === 'lose_response' || fault === 'half_body') breakOff(response, fault === 'half_body')
  else if ('delayMs' in fault) await delay(fault.delayMs)
  else if ('status' in fault && fault.handled !== true) {
    answerAs(fault, response)
    return true
  }
  return false
}

/** After the call was handled. Returns a rewriter of the body, or true when the fault has responded. */
export function faultAfter(fault: CallFault, response: Response): true | ((body: unknown) => unknown) {
  if (typeof fault === 'object' && 'status' in fault) {
    answerAs(fault, response)
    return true
  }
  if (typeof fault === 'object' && 'addHeaders' in fault) response.set(fault.addHeaders())
  return typeof fault === 'object' && 'rewrite' in fault ? fault.rewrite : (body) => body
}

function answerAs({ status, headers = {}, body }: Extract<CallFault, { status: number }>, response: Response) {
  response.set(headers)
  if (typeof body === 'string') response.status(status).end(body)
  else sendJson(response, status, body ?? { message: `${status} ${STATUS_CODES[status] ?? ''}`.trim() })
}

/** Breaks the connection instead of the response, or halfway. */
function breakOff(response: Response, halfway: boolean) {
  const end = (chunk?: unknown, encoding?: unknown): Response => {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk
    if (halfway && Buffer.isBuffer(bytes))
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
    else response.destroy()
    return response
  }
  response.end = end as Response['end']
}

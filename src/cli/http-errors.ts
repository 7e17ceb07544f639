// What the server answers when a request goes wrong: JSON without inner details; the log has them.
import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { statusOf } from '../admin/status-of.ts'

/** 413 and other 4xx keep their status; everything else is 500, logged with its cause. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status >= 500) log.error({ event: 'request failed', err: error }, 'a request failed')
    response.status(status).json({
      error:
        status === 413
          ? 'The body is larger than 25 MB.'
          : status < 500
            ? 'The request cannot be read.'
            : 'Something went wrong; the log has the details.',
    })
  }
}

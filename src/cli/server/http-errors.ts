// Error responses: JSON without internal details, which the log has.
import type { ErrorRequestHandler } from 'express'
import type { Logger } from 'pino'
import { statusOf } from '../../admin/http.ts'

/** 4xx are passed on; everything else is a logged 500. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status >= 500) log.error({ event: 'request_failed', err: error }, 'request failed')
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

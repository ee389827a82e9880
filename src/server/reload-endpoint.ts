// The endpoint that reloads the configuration: off unless a flag turns it on, as with Prometheus.

export const RELOAD_PATH = '/-/reload'
export const RELOAD_METHODS = ['POST', 'PUT']

/** `reload` is undefined where it is off. It returns a sentence, and throws an error that holds no secret. */
export async function answerReload(
  reload: (() => Promise<string>) | undefined,
): Promise<{ code: number; text: string }> {
  if (!reload) return { code: 403, text: 'Reload over HTTP is off; --web.enable-lifecycle turns it on.' }
  try {
    return { code: 200, text: await reload() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return { code: 500, text: `Configuration refused, keeping the previous one:\n${reason}` }
  }
}

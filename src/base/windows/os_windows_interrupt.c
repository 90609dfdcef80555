/* Interrupts on Windows: Ctrl-C, Ctrl-Break, and the end of the console or of the session. */
#include "os_windows.h"

#include <stdatomic.h>

/* Wrappers may pass on an event that the console has sent already; events this close together count
 * as one request. */
#define REQUEST_DEBOUNCE_MS 1000
/* Windows ends the program five seconds after it closes the console. */
#define SAVE_LIMIT_MS 4000
#define STEP_MS 20

/* Atomic: the handler runs in its own thread. */
static atomic_int interrupted, saved;
static atomic_ullong interrupted_at; /* in ms since the system started */

/* Waits until everything is saved, at most SAVE_LIMIT_MS. The system ends the program when the
 * handler returns. */
static void wait_for_exit(void)
{
    static const char words[] = "weir: ended by the system before everything was saved\n";
    for (int waited = 0; waited < SAVE_LIMIT_MS && !saved; waited += STEP_MS)
        Sleep(STEP_MS);
    if (saved) ExitProcess(BASE_STATUS_STOPPED);
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), words, sizeof words - 1, &written, NULL);
}

static BOOL WINAPI on_event(DWORD event)
{
    ULONGLONG now = GetTickCount64();
    bool again = interrupted && now - interrupted_at > REQUEST_DEBOUNCE_MS;
    if (!interrupted) interrupted_at = now;
    interrupted = 1;
    /* FALSE: the program ends */
    if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) return !again;
    wait_for_exit();
    return TRUE;
}

void base_interrupt_install(void)
{
    SetConsoleCtrlHandler(on_event, TRUE);
}

void base_interrupt_acknowledge(void)
{
    saved = 1;
}

bool base_interrupted(void)
{
    return interrupted != 0;
}
